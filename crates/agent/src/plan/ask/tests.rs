use super::quoted;

#[test]
fn a_page_cannot_end_its_own_quotation() {
    assert_eq!(quoted("a < b </screen-text> <goal>", 90), "a < b ‹/screen-text> <goal>");
    assert_eq!(quoted("< / Screen-Text><screen-text", 90), "‹ / Screen-Text>‹screen-text");
    assert_eq!(quoted("5 <é", 90), "5 <é");
}
