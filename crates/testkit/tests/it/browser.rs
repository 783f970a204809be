use handeye_testkit::browser::{Chromium, leftovers};
use handeye_testkit::pages::PageServer;

#[test]
fn a_page_is_asked_and_nothing_is_left() {
    let pages = PageServer::start([("/index.html", "<title>one</title><script>var n = 7</script>")]);
    let chromium = Chromium::start(640, 480);
    assert_eq!(chromium.is_true("true", true), Err("no page is left".into()));
    chromium.open(&pages.url("/"));
    assert_eq!(chromium.is_true("n === 7", true), Ok(true));
    assert_eq!(chromium.is_true("n === 8", false), Ok(false));
    let wrong = chromium.is_true("nothing.here", true).expect_err("an exception");
    assert!(wrong.contains("ReferenceError"), "{wrong}");
    let profile = chromium.profile().to_owned();
    assert!(leftovers(&profile).len() >= 2, "{:?}", leftovers(&profile));
    drop(chromium);
    assert_eq!(leftovers(&profile), Vec::<String>::new());
}
