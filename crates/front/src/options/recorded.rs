//! Options as a suite writes them down: an object with a key for each option that is not as usual.
//!
//! What `written` makes of the options of a language, `read` makes into the same options again. Files are written by their names in the
//! record of sources, so that no path stands in a suite.

use indexmap::IndexMap;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use crate::failure::{Failure, INVALID_SUITE};

/// The options that a suite holds.
pub type Recorded = IndexMap<String, Json>;

/// Options for a suite.
pub fn written<T: Serialize>(options: &T) -> Recorded {
    match serde_json::to_value(options) {
        Ok(Json::Object(object)) => object.into_iter().collect(),
        Ok(_) | Err(_) => unreachable!("options are an object of texts, numbers and lists"),
    }
}

/// Options from a suite.
pub fn read<T: DeserializeOwned>(options: &Recorded) -> Result<T, Failure> {
    let object = options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    serde_json::from_value(Json::Object(object)).map_err(|error| {
        Failure::Refused(&INVALID_SUITE, format!("the options of the suite are not understood: {error}"))
    })
}

/// Whether an option that is set or not is not.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "the form that serde asks for")]
pub(super) fn is_false(flag: &bool) -> bool {
    !flag
}

/// A list as one text, its items separated by commas.
pub(super) mod joined {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(list: &[String], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&list.join(","))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(text.split(',').map(str::to_owned).collect())
    }
}

/// Names with numbers as an object.
pub(super) mod object {
    use indexmap::IndexMap;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(list: &[(String, i64)], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(list.iter().map(|(name, value)| (name, value)))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<(String, i64)>, D::Error> {
        Ok(IndexMap::<String, i64>::deserialize(deserializer)?.into_iter().collect())
    }
}
