//! The suite itself.

use super::{ExportError, Extras};
use crate::Suite;

pub(super) fn write(suite: &Suite, _extras: &Extras<'_>) -> Result<String, ExportError> {
    Ok(suite.to_json_string())
}
