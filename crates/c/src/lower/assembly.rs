//! Inline assembly: what it reads is computed, what it writes is unknown.

use source::Span;

use super::{Checked, Lowerer};
use crate::ast;
use crate::codes;
use crate::expr::ExprKind as Pure;
use crate::library;
use crate::program::{Callee, Operation, StatementKind};

impl Lowerer<'_> {
    /// Inline assembly: a call that leaves unknown values in the places that it writes.
    pub(super) fn assembly(&mut self, span: Span, assembly: &ast::Assembly) -> Checked<()> {
        self.of_kind(StatementKind::Expression);
        for input in &assembly.inputs {
            self.effect(input)?;
        }
        if assembly.outputs.is_empty() && !assembly.reaches_out {
            self.warn(&codes::ASSEMBLY, span, "inline assembly is skipped: it writes nothing");
            return Ok(());
        }
        let (mut values, mut reaches_out) = (Vec::new(), assembly.reaches_out);
        for output in &assembly.outputs {
            let place = self.place(output)?;
            let (ty, bits) = (self.program.place(place).ty, self.program.place(place).bits);
            // Bit-fields have no address.
            if bits.is_some() {
                reaches_out = true;
                continue;
            }
            let pointer = self.program.types.pointer(ty);
            values.push(self.push(Pure::Address(place), pointer));
        }
        let (name, message) = match reaches_out {
            false => (library::ASSEMBLY, "inline assembly is not followed: what it writes is unknown"),
            true => {
                values.clear();
                (
                    library::REACHING_ASSEMBLY,
                    "inline assembly is not followed: runs end where it changes memory or jumps",
                )
            }
        };
        self.warn(&codes::ASSEMBLY, span, message);
        let callee = Callee::Function(self.internal_function(name, span));
        self.emit(Operation::Call { callee, arguments: values, result: None }, span);
        Ok(())
    }
}
