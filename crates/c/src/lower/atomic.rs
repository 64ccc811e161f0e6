//! Builtins for several threads. There is one thread here, so each is what it does when nobody interferes.

use source::Span;

use super::{Checked, Lowerer};
use crate::ast::Expr;
use crate::codes;
use crate::expr::{BinaryOp, ExprId, PlaceId};
use crate::types::TypeId;

/// What a builtin does to the object a pointer points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    Fence,
    Load,
    Store,
    Exchange,
    Release,
    /// Changes it; gives the new value, or the old.
    Change(BinaryOp, bool),
}

fn action(name: &str) -> Option<Action> {
    let operator = |name: &str| match name {
        "add" => Some(BinaryOp::Add),
        "sub" => Some(BinaryOp::Subtract),
        "and" => Some(BinaryOp::And),
        "or" => Some(BinaryOp::Or),
        "xor" => Some(BinaryOp::Xor),
        _ => None,
    };
    let old = |name: &str| operator(name).map(|operator| Action::Change(operator, false));
    let new = |name: &str| operator(name).map(|operator| Action::Change(operator, true));
    match name {
        "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" => Some(Action::Fence),
        "__atomic_load_n" => Some(Action::Load),
        "__atomic_store_n" => Some(Action::Store),
        "__atomic_exchange_n" | "__sync_lock_test_and_set" => Some(Action::Exchange),
        "__sync_lock_release" => Some(Action::Release),
        _ => {
            let sync = name.strip_prefix("__sync_");
            let atomic = name.strip_prefix("__atomic_");
            let fetched = sync
                .and_then(|name| name.strip_prefix("fetch_and_"))
                .or(atomic.and_then(|name| name.strip_prefix("fetch_")));
            let changed = sync
                .and_then(|name| name.strip_suffix("_and_fetch"))
                .or(atomic.and_then(|name| name.strip_suffix("_fetch")));
            fetched.and_then(old).or_else(|| changed.and_then(new))
        }
    }
}

impl Lowerer<'_> {
    /// Lowers a builtin for several threads.
    pub(super) fn atomic_call(&mut self, name: &str, span: Span, arguments: &[Expr]) -> Checked<ExprId> {
        let Some(action) = action(name) else {
            return self.unsupported(span, format!("`{name}` is not supported"));
        };
        if action == Action::Fence {
            return Ok(self.nothing());
        }
        let wanted = if matches!(action, Action::Load | Action::Release) { 1 } else { 2 };
        if arguments.len() < wanted {
            return self.error(&codes::TYPE, span, format!("`{name}` takes more arguments"));
        }
        let pointer = self.rvalue(&arguments[0])?;
        let pointer = if wanted > 1 { self.saved(pointer, span) } else { pointer };
        let Some(target) = self.types().target(self.ty(pointer)).filter(|target| self.types().is_scalar(*target))
        else {
            return self.error(&codes::TYPE, span, format!("`{name}` takes a pointer to a number or a pointer"));
        };
        let place = self.dereference(pointer, target);
        let value = if wanted > 1 { Some(self.rvalue(&arguments[1])?) } else { None };
        self.act(action, place, target, value, span)
    }

    fn act(
        &mut self,
        action: Action,
        place: PlaceId,
        target: TypeId,
        value: Option<ExprId>,
        span: Span,
    ) -> Checked<ExprId> {
        let now = self.load(place);
        match (action, value) {
            (Action::Load, _) => Ok(self.saved(now, span)),
            (Action::Release, _) => {
                let zero = self.int(0, TypeId::INT);
                let zero = self.convert(zero, target);
                self.assign(place, zero, span);
                Ok(self.nothing())
            }
            (Action::Store, Some(value)) => {
                let value = self.convert_for(value, target, span, "argument")?;
                self.assign(place, value, span);
                Ok(self.nothing())
            }
            (Action::Exchange, Some(value)) => {
                let old = self.saved(now, span);
                let value = self.convert_for(value, target, span, "argument")?;
                self.assign(place, value, span);
                Ok(old)
            }
            (Action::Change(operator, gives_new), Some(value)) => {
                let old = self.saved(now, span);
                let new = self.binary_operator(operator, old, value, span)?;
                let new = self.convert(new, target);
                let new = self.saved(new, span);
                self.assign(place, new, span);
                Ok(if gives_new { new } else { old })
            }
            (Action::Fence, _) | (Action::Store | Action::Exchange | Action::Change(..), None) => Ok(self.nothing()),
        }
    }
}
