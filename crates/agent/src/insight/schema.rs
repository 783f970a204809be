//! JSON Schemas that a user gives for an answer. They are checked here and nothing is loaded for them: a schema refers to
//! itself alone.

use boon::{Compiler, SchemaIndex, Schemas, UrlLoader};
use handeye_core::text::clip;
use serde_json::Value;
use std::fmt;

const PLACE: &str = "mem:///schema.json";

/// A schema, ready to check values.
pub struct Schema {
    schemas: Schemas,
    root: SchemaIndex,
}

impl fmt::Debug for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Schema")
    }
}

/// The schema itself cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the JSON Schema cannot be used: {0}")]
pub struct BadSchema(String);

/// Refuses what lies elsewhere.
struct Nowhere;

impl UrlLoader for Nowhere {
    fn load(&self, url: &str) -> Result<Value, Box<dyn std::error::Error>> {
        Err(format!("it refers to {url}, and nothing is loaded").into())
    }
}

impl Schema {
    /// # Errors
    /// [`BadSchema`] when it is no schema, or refers to another document.
    pub fn of(schema: &Value) -> Result<Self, BadSchema> {
        let bad = |error: String| BadSchema(clip(&error, 300));
        let mut compiler = Compiler::new();
        compiler.use_loader(Box::new(Nowhere));
        compiler.enable_format_assertions();
        compiler.add_resource(PLACE, schema.clone()).map_err(|e| bad(e.to_string()))?;
        let mut schemas = Schemas::new();
        let root = compiler.compile(PLACE, &mut schemas).map_err(|e| bad(format!("{e:#}")))?;
        Ok(Self { schemas, root })
    }

    /// # Errors
    /// What is wrong with a value, and where in it.
    pub fn check(&self, value: &Value) -> Result<(), String> {
        self.schemas.validate(value, self.root).map_err(|error| {
            // The first line only says that it is not valid.
            let said = format!("{error:#}");
            let lines: Vec<&str> = said.lines().skip(1).map(str::trim).filter(|l| !l.is_empty()).collect();
            let said = if lines.is_empty() { said.clone() } else { lines.join("; ") };
            format!("the value does not fit the schema: {}", clip(&said.replace(PLACE, ""), 400))
        })
    }
}
