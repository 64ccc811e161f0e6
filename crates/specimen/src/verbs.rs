//! The verbs: one file each.

pub(crate) mod assess;
pub(crate) mod check;
pub(crate) mod coupling;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod generate;
pub(crate) mod goals;
pub(crate) mod help;
pub(crate) mod init;
pub(crate) mod measure;
pub(crate) mod merge;
pub(crate) mod mutants;
pub(crate) mod replay;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod shell;
pub(crate) mod solvers;
pub(crate) mod test;
pub(crate) mod translate;
