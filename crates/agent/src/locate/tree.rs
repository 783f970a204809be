pub fn element(
    _t: &handeye_core::UiTree,
    _d: &str,
    _r: &mut handeye_core::event::Receipt,
) -> Result<handeye_core::Element, String> {
    Err(String::new())
}
