//! The report in a real browser: it draws, keys work, and hostile texts stay texts.

use crate::sample;
use handeye_core::Event;
use handeye_core::event::PlanRecord;
use handeye_journal::write_report;
use handeye_testkit::browser::Chromium;
use std::path::Path;

struct Page(Chromium);

impl Page {
    fn open(dir: &Path, width: u32, height: u32) -> Self {
        let browser = Chromium::start(width, height);
        browser.open(&format!("file://{}", write_report(dir).expect("a report").display()));
        Self(browser)
    }
    #[track_caller]
    fn check(&self, expression: &str) {
        assert_eq!(self.0.is_true(expression, true), Ok(true), "{expression}");
    }
    fn press(&self, key: &str) {
        let press = format!("document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}', bubbles: true}}))");
        self.0.is_true(&format!("({press}, true)"), true).expect("a key is pressed");
    }
}

const SELECTED: &str = "document.querySelector('[aria-current]').querySelector('.name').textContent";

#[test]
fn the_steps_are_drawn_and_the_keys_walk_through_them() {
    let out = tempfile::tempdir().expect("a folder");
    let page = Page::open(&sample::whole(out.path()), 1400, 900);
    page.check("document.title === 'completed: Type Ada into the name field and save'");
    page.check("document.querySelectorAll('#timeline button').length === 7");
    page.check(&format!("{SELECTED} === 'Reply not readable'"));
    page.check("document.querySelector('#step details[open] pre').textContent.startsWith('I would click <b>Save</b>')");
    page.press("ArrowRight");
    page.press("ArrowRight");
    page.check(&format!("{SELECTED} === 'Tap - the Save button'"));
    page.check(
        "[...document.querySelectorAll('.frames img')].every(i => i.complete && i.naturalWidth === 320 && i.alt)",
    );
    // The mark lies where the target is: 10 of 160 points from the left, 45 of 90 from the top.
    page.check(
        "(() => { const f = document.querySelector('.frames .frame').getBoundingClientRect(); \
         const m = document.querySelector('.frames .marks div').getBoundingClientRect(); \
         return Math.abs((m.left - f.left) / f.width - 10 / 160) < 0.01 && Math.abs((m.top - f.top) / f.height - 0.5) < 0.01 \
         && Math.abs(m.width / f.width - 40 / 160) < 0.01; })()",
    );
    page.check("document.querySelector('.verdict .badge').textContent === 'covered'");
    page.check("location.hash === '#3'");
    page.press("End");
    page.check(&format!("{SELECTED} === 'Completes'"));
    page.press("ArrowRight");
    page.press("Home");
    page.press("ArrowLeft");
    page.check(&format!("{SELECTED} === 'Reply not readable'"));
    // The request is built when it is asked for, with the picture that was sent.
    page.check("[...document.querySelectorAll('#step details')].forEach(d => d.open = true) === undefined");
    page.check("document.querySelectorAll('#step h2').length === 1 && document.querySelectorAll('h1').length === 1");
}

#[test]
fn a_narrow_page_needs_no_sideways_scrolling() {
    let out = tempfile::tempdir().expect("a folder");
    let dir = sample::whole(out.path());
    // The window of a browser does not get as narrow as a phone, so the page is made narrow inside it.
    let page = Page::open(&dir, 500, 900);
    page.check("(document.documentElement.style.width = '360px', document.body.style.width = '360px', true)");
    for key in ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "End"] {
        page.press(key);
        page.check("document.body.scrollWidth <= 360 && window.scrollY === 0");
    }
}

#[test]
fn hostile_texts_run_nothing_in_the_browser() {
    const HOSTILE: &str = "</script><script>document.documentElement.id='owned'</script><img src=x onerror=\"document.documentElement.id='owned'\">";
    let out = tempfile::tempdir().expect("a folder");
    let text = || HOSTILE.to_owned();
    let mut script = sample::script();
    script.events[0].1 = Event::Started {
        version: text(),
        goal: text(),
        device: text(),
        model: text(),
        wall_time: text(),
        settings: serde_json::Value::String(text()),
    };
    let plan = PlanRecord { thought: text(), log: text(), misread: Some(text()), ..PlanRecord::default() };
    script.events.insert(5, (5, Event::Planned { plan }));
    script.events.insert(5, (5, Event::Notice { text: text() }));
    let page = Page::open(&sample::record(&script, out.path(), "run", usize::MAX, &[]), 1200, 900);
    for _ in 0..8 {
        page.check("document.documentElement.id === '' && !document.querySelector('img[src=x]')");
        page.check("document.querySelector('h1').textContent.startsWith('</script>')");
        page.check("([...document.querySelectorAll('details')].forEach(d => d.open = true), true)");
        page.press("ArrowRight");
    }
}

#[test]
fn a_killed_run_opens_at_its_end() {
    let out = tempfile::tempdir().expect("a folder");
    // Killed while the first tap was under way.
    let script = sample::script();
    let act = script.events.iter().position(|(_, e)| matches!(e, Event::Asked { class: Some(_), .. })).expect("an act");
    let page = Page::open(&sample::record(&script, out.path(), "killed", act + 1, &[]), 1200, 900);
    page.check("document.querySelector('#head .badge').textContent === 'unfinished'");
    page.check(&format!("{SELECTED} === 'Tap - the Save button'"));
    page.check("document.querySelector('.verdict').textContent.includes('the record ends here')");
}
