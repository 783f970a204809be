use super::*;
#[derive(Default)]
pub struct Reflex;
#[async_trait]
impl Planner for Reflex {
    fn name(&self) -> &'static str {
        "reflex"
    }
    async fn plan(&mut self, _w: &mut dyn World, _v: &PlanView<'_>, _h: &mut History) -> Result<Planned, Stop> {
        Err(Stop::Cancelled)
    }
}
