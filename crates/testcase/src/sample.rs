//! A small suite for the tests of this crate.

use serde_json::json;

use crate::Suite;

/// Two covered goals, an infeasible and an open one; two tests.
pub(crate) fn policy() -> Suite {
    serde_json::from_value(json!({
        "schema": "specimen-suite/1",
        "language": "boolean",
        "source": { "file": "policy.bool", "sha256": crate::fingerprint(b"policy") },
        "interface": {
            "inputs": [
                { "name": "age", "sort": "Int" },
                { "name": "rate", "sort": "Real" },
                { "name": "mask", "sort": "(_ BitVec 8)" },
                { "name": "level", "sort": "Level", "variants": ["low", "high"] },
                { "name": "for", "sort": "Bool" },
            ],
            "outputs": [{ "name": "hire", "sort": "Bool" }],
        },
        "criterion": "masking-mcdc",
        "options": { "conditions": "occurrence" },
        "strategy": "each",
        "bound": null,
        "complete": true,
        "minimality": "proved",
        "goals": [
            { "id": "c1", "label": "age > 30", "location": { "line": 3, "column": 5, "text": "age > 30" },
              "status": "covered", "tests": ["t1", "t2"] },
            { "id": "c2", "label": "for | <b>", "location": null, "status": "covered", "tests": ["t2"] },
            { "id": "c3", "label": "age < 30", "location": { "line": 3, "column": 17, "text": "age < 30" },
              "status": "infeasible", "reason": "coupled with `age > 30`", "tests": [] },
            { "id": "c4", "label": "rate = 1/3", "location": null,
              "status": "unknown", "reason": "time limit", "tests": [] },
        ],
        "tests": [
            { "id": "t1", "inputs": { "age": 31, "rate": "1/3", "mask": "#x0f", "level": "high", "for": true },
              "expected": { "hire": true }, "covers": ["c1"] },
            { "id": "t2", "inputs": { "age": -30, "rate": 2, "mask": "#xff", "level": "low", "for": false },
              "expected": { "hire": false }, "covers": ["c1", "c2"] },
        ],
        "summary": { "goals": 4, "covered": 2, "infeasible": 1, "infeasible_up_to": 0, "unknown": 1, "tests": 2 },
    }))
    .expect("the sample is a suite")
}
