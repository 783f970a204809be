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
    // Goal, outcome and time stand first, and without a scroll.
    page.check(
        "[...document.querySelectorAll('h1, #head .badge, .figures dd, [aria-current]')].every(e => \
         e.getBoundingClientRect().bottom < innerHeight)",
    );
    page.check("document.querySelector('.figures dt').textContent === 'Time'");
    // What a person wants to see of a run that went well is what was done.
    page.check(&format!("{SELECTED} === 'Tap - the Save button'"));
    page.press("Home");
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
    page.press("ArrowRight");
    page.check("document.querySelector('#step').textContent.includes('1. the name is saved (running)')");
    page.check("document.querySelector('#step').textContent.includes('the shop asks for cookies first')");
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
fn a_model_that_gave_no_reply_is_told_where_the_page_opens() {
    let out = tempfile::tempdir().expect("a folder");
    let mut script = sample::script();
    let message = "cannot connect to http://127.0.0.1:1/v1, model m: connection refused: nothing listens there";
    let plan = PlanRecord { planner: "standard".into(), unavailable: Some(message.into()), ..PlanRecord::default() };
    script.events.truncate(1);
    script.events.push((4, Event::Notice { text: "the browser runs as root".into() }));
    script.events.push((5, Event::Round { number: 1 }));
    script.events.push((9, Event::Planned { plan }));
    let page = Page::open(&sample::record(&script, out.path(), "down", usize::MAX, &[]), 1200, 700);
    page.check(&format!("{SELECTED} === 'No reply from the model'"));
    page.check("document.querySelector('.verdict').textContent.includes('connection refused')");
    page.check("document.querySelector('.verdict .badge').textContent === 'failed'");
    // What was noticed before the first round is about the run: it is no round of its own.
    page.check("document.querySelector('.meta').textContent.includes('runs as root')");
    page.check("document.querySelectorAll('#timeline h2').length === 1");
}

#[test]
fn a_very_long_goal_does_not_push_the_steps_away() {
    let out = tempfile::tempdir().expect("a folder");
    let mut script = sample::script();
    if let Event::Started { goal, .. } = &mut script.events[0].1 {
        *goal = "click the button and then ".repeat(400);
    }
    let page = Page::open(&sample::record(&script, out.path(), "long", usize::MAX, &[]), 1200, 700);
    page.check("document.querySelector('#timeline button').getBoundingClientRect().bottom < innerHeight");
    page.check("([...document.querySelectorAll('#head details')].forEach(d => d.open = true), true)");
    page.check("document.querySelector('#head pre').textContent.length > 10000");
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
