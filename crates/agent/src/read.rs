//! Readers of what models write.
pub mod boxes {
    use handeye_core::Family;
    use serde_json::Value;
    pub struct Spot {
        pub rect01: Option<[f64; 4]>,
        pub point01: (f64, f64),
        pub repairs: Vec<String>,
    }
    #[derive(Debug, thiserror::Error)]
    #[error("x")]
    pub struct BoxError;
    pub fn coordinates(_r: &Value, _f: &Family) -> Result<Spot, BoxError> {
        Err(BoxError)
    }
}
pub mod reply {
    use handeye_core::*;
    pub struct StandardReply {
        pub thought: String,
        pub log: String,
        pub memory: Vec<String>,
        pub actions: Vec<Action<Target>>,
        pub complete: Option<(bool, Option<String>)>,
        pub error: Option<String>,
        pub repairs: Vec<String>,
    }
    pub struct Misread {
        pub why: String,
    }
    pub fn standard(_t: &str, _f: Finish, _s: &ActionSpace) -> Result<StandardReply, Misread> {
        Err(Misread { why: String::new() })
    }
}
