//! The shop of the demo does what the demo's steps rely on.

use handeye_testkit::browser::Chromium;
use handeye_testkit::pages::PageServer;
use std::path::Path;

/// Each line is done in the page and must then be true.
#[track_caller]
fn check(chromium: &Chromium, lines: &[&str]) {
    for line in lines {
        assert_eq!(chromium.is_true(line, true), Ok(true), "{line}");
    }
}

#[test]
fn carts_add_up_in_both_languages() {
    let shop = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../demo/shop"));
    let server = PageServer::start(shop);
    let chromium = Chromium::start(1280, 720);
    chromium.open(&server.url("/"));
    check(
        &chromium,
        &[
            "(cards = document.querySelectorAll('#grid article'), at = id => document.getElementById(id), cards.length === 9)",
            "cards[8].querySelector('button').disabled && at('total').textContent === '$0.00'",
            "(cards[0].querySelector('button').click(), cards[1].querySelector('button').click(), at('total').textContent === '$37.00')",
            "(q = at('lines').rows[1].querySelector('input'), q.value = 3, q.dispatchEvent(new Event('input')), at('total').textContent === '$75.00')",
            "(at('lines').rows[0].querySelector('button').click(), at('total').textContent === '$61.00' && at('count').textContent === '3')",
            "(at('wrap').click(), at('total').textContent === '$64.00')",
            "(at('coupon').value = 'harbour10', at('apply').click(), at('total').textContent === '$58.30')",
            "(at('checkout').requestSubmit(), at('email-error').textContent !== '' && document.activeElement === at('name'))",
            "['name', 'street'].every(id => at(id).value = 'Ada') && (at('email').value = 'a@b.example') && (at('postcode').value = '10115') && (at('terms').checked = true)",
            "(at('checkout').requestSubmit(), at('ask').open && at('ask-text').textContent.includes('$58.30'))",
            "(at('ask-yes').click(), !at('ask').open && at('toast').textContent.includes('HG-0001') && at('table').hidden)",
        ],
    );
    chromium.open(&server.url("/?lang=zh"));
    check(
        &chromium,
        &[
            "(cards = document.querySelectorAll('#grid article'), at = id => document.getElementById(id), document.documentElement.lang === 'zh-CN')",
            "(cards[0].querySelector('button').click(), cards[1].querySelector('button').click(), at('lines').rows[0].cells[0].textContent === '搪瓷杯')",
            "(q = at('lines').rows[1].querySelector('input'), q.value = 3, q.dispatchEvent(new Event('input')), at('lines').rows[0].querySelector('button').click(), at('total').textContent === '¥247.00')",
        ],
    );
}
