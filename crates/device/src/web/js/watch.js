// What changes, what changes anyway, and when it is quiet.

/** One frame. Pages in the background draw none: then a short timer stands in. */
const frame = () =>
  new Promise((done) => {
    let over = false;
    const end = () => {
      if (!over) {
        over = true;
        done();
      }
    };
    requestAnimationFrame(end);
    setTimeout(end, 60);
  });

const W = {
  /** Between an input and the end of the wait that follows it. True at first: the page is being built. */
  open: true,
  at: 0,
  pressed: 0,
  changes: 0,
  counted: new Map(),
  last: 0,
  held: 0,
  examples: [],
  /** Nodes whose text is new, those of them that the input put there itself, and how often each text was taken away: what is in both was only moved or drawn again. */
  fresh: new Set(),
  own: new WeakSet(),
  taken: new Map(),
  scrolls: 0,
  events: new Set(),
  touched: new WeakSet(),
  opened: [],
  snap: null,
  /** What the fields showed when the last wait was over. */
  resting: null,
};

/** For each place that changes: the times of its last changes, and how many came without input: `idle` after the page was
 * built, `free` also before. */
const habits = new WeakMap();
/** What places that change anyway put into the page. */
const passing = new WeakSet();

const INVISIBLE = new Set(["script", "style", "link", "meta", "template", "noscript", "base", "title"]);

function habitOf(target, key) {
  let keys = habits.get(target);
  if (!keys) habits.set(target, (keys = new Map()));
  let habit = keys.get(key);
  if (!habit) keys.set(key, (habit = { times: [], idle: 0, free: 0, total: 0 }));
  return habit;
}

/** It changes without input, and did so until now. */
function isTicker(habit, before) {
  const { times, idle, free } = habit;
  const until = times.filter((t) => t <= before);
  // Seldom seen so far: then it has to keep a rhythm, the more exactly the less is known of it.
  if (idle < 2) return free >= 2 && until.length >= 2 && isRegular(times, idle ? 2.7 : 1.8);
  const last = until.at(-1) ?? times[0];
  const gap = until.length > 1 ? (last - until[0]) / (until.length - 1) : 1000;
  return before - last < Math.max(1000, 3 * gap);
}

/** Its changes come at even distances. */
function isRegular(times, most) {
  if (times.length < 3) return false;
  const gaps = times.slice(1).map((t, i) => t - times[i]);
  return Math.max(...gaps) < most * Math.min(...gaps) && gaps[0] > 5;
}

/** It goes on in its rhythm whatever the input was. */
const goesOn = (habit) => isTicker(habit, W.at) || (habit.free > 0 && habit.times.length >= 4 && isRegular(habit.times.slice(-4), 1.8));

/** Takes back what was counted for places that turned out to change anyway. */
function recount() {
  for (const [habit, count] of W.counted) {
    if (!goesOn(habit)) continue;
    W.counted.delete(habit);
    W.changes -= count;
  }
}

/** It began with this input and goes on like a clock: it changed something, but there is no end to wait for. */
function runsOn(habit) {
  const { times } = habit;
  return habit.total >= 8 && times.at(-1) - times[0] > 0 && times.at(-1) - W.at > 1000 && habit.total / (times.at(-1) - W.at) > 0.004;
}

function isNothing(record) {
  const target = record.target;
  const el = isElement(target) ? target : target.parentElement;
  if (el && INVISIBLE.has(el.localName)) return el.localName !== "title";
  if (el?.localName === "head") return true;
  if (record.type === "attributes") return record.oldValue === target.getAttributeNS(record.attributeNamespace, record.attributeName);
  if (record.type === "characterData") return record.oldValue === target.data || (el && !isShown(el));
  const seen = (node) => (node.nodeType === 3 ? node.data.trim() !== "" : isElement(node) && !INVISIBLE.has(node.localName));
  return !([...record.addedNodes].some(seen) || [...record.removedNodes].some(seen)) || (el?.isConnected && el !== document.documentElement && !isShown(el));
}

function note(records) {
  if (!records.length) return;
  const t = now();
  const inFlight = isInFlight();
  const sameTask = C.busy && frameClock() === C.clock;
  const counted = new Set();
  for (const record of records) {
    if (record.type === "childList") {
      for (const node of record.addedNodes) {
        if (!isElement(node)) continue;
        watchShadows(node);
        A.born?.add(node);
      }
    }
    if (isNothing(record)) continue;
    const target = record.type === "characterData" ? record.target.parentNode ?? record.target : record.target;
    const key = record.type === "attributes" ? record.attributeName : record.type;
    const habit = habitOf(target, key);
    // What runs with a frame runs in the task of a move too.
    const caused = inFlight || (sameTask && !C.framed && habit.free < 2 && !habit.idle);
    if (!counted.has(habit)) {
      counted.add(habit);
      habit.times.push(t);
      habit.total++;
      if (habit.times.length > 8) habit.times.shift();
      if (!W.open) habit.idle++;
      if (!W.open || !W.snap) habit.free++;
    }
    const ticks = isTicker(habit, W.open ? W.at : t);
    if (ticks && record.type === "childList") for (const node of record.addedNodes) passing.add(node);
    if (!W.open || (!caused && (ticks || isPassing(target)))) continue;
    W.changes++;
    if (caused) C.changes++;
    else W.counted.set(habit, (W.counted.get(habit) ?? 0) + 1);
    W.last = t;
    if (!runsOn(habit)) W.held = t;
    if (W.examples.length < 5) W.examples.push(target);
    noteTexts(record, caused);
  }
}

/** Texts that a person could read: how many are looked at, how many are told, and how long each may be. */
const TEXTS = { most: 400, told: 3, length: 80 };

function forgetTexts() {
  W.fresh.clear();
  W.taken.clear();
}

function noteTexts(record, caused) {
  if (W.fresh.size > 60) return;
  const add = (node) => {
    W.fresh.add(node);
    if (caused) W.own.add(node);
  };
  if (record.type === "characterData") {
    add(record.target);
    take(record.oldValue ?? "");
  } else if (record.type === "childList") {
    for (const node of record.addedNodes) add(node);
    for (const node of record.removedNodes) for (const text of textsIn(node)) take(text.data);
  }
}

function take(text) {
  const key = text.trim();
  if (key && W.taken.size < TEXTS.most) W.taken.set(key, (W.taken.get(key) ?? 0) + 1);
}

/** The runs of text below a node. */
function* textsIn(node) {
  if (node.nodeType === 3) return yield node;
  if (!isElement(node) || INVISIBLE.has(node.localName)) return;
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  for (let i = 0; i < TEXTS.most && walker.nextNode(); i++) yield walker.currentNode;
}

/** The new texts: those that announce themselves first, then those that are certainly the input's doing. */
function freshTexts() {
  const left = new Map(W.taken);
  const found = [];
  for (const node of W.fresh) {
    if (!node.isConnected) continue;
    for (const text of textsIn(node)) {
      const says = text.data.trim();
      if (!/[\p{L}\p{N}]/u.test(says) || found.some((f) => f.says === says)) continue;
      const again = left.get(says) ?? 0;
      // What was typed is told as the field's value.
      if (again) left.set(says, again - 1);
      else if (isEditable(text.parentElement)) continue;
      else if (text.parentElement && !INVISIBLE.has(text.parentElement.localName) && isShown(text.parentElement)) {
        const loud = text.parentElement.closest("[role=status],[role=alert],[role=dialog],[role=alertdialog],[aria-live],output,dialog");
        found.push({ says, rank: (loud ? 2 : 0) + (W.own.has(node) ? 1 : 0) });
      }
      if (found.length >= 40) break;
    }
  }
  found.sort((a, b) => b.rank - a.rank);
  return found.slice(0, TEXTS.told).map((f) => clip(f.says, TEXTS.length));
}

function isPassing(target) {
  let node = target;
  for (let depth = 0; node && depth < 30; depth++, node = node.parentNode) if (passing.has(node)) return true;
  return false;
}

const observer = new MutationObserver(note);
const WATCH = { subtree: true, childList: true, attributes: true, characterData: true, attributeOldValue: true, characterDataOldValue: true };
const watched = new WeakSet();

function watchRoot(root) {
  if (watched.has(root)) return;
  watched.add(root);
  observer.observe(root, WATCH);
}

/** Open shadow roots in and under a node: an observer of the document does not look into them. */
function watchShadows(top) {
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_ELEMENT);
  let left = 20000;
  for (let el = walker.currentNode; el && left-- > 0; el = walker.nextNode()) {
    if (el.shadowRoot && !watched.has(el.shadowRoot)) {
      watchRoot(el.shadowRoot);
      watchShadows(el.shadowRoot);
    }
  }
}

watchRoot(document);

/** When each box was scrolled last without input. */
const scrolledFreely = new WeakMap();
addEventListener("scroll", (event) => {
  const t = now();
  if (!W.open || !W.snap) scrolledFreely.set(event.target, t);
  if (!W.open) return;
  W.last = t;
  if (t - (scrolledFreely.get(event.target) ?? -1e9) < 5000) return;
  W.scrolls++;
  if (t - C.scrollKey < 100) C.scrolled = true;
}, { capture: true, passive: true });
for (const type of ["input", "change", "play", "pause", "copy", "cut", "paste", "submit", "fullscreenchange"]) {
  addEventListener(type, (event) => {
    if (!W.open || !W.snap) return;
    W.events.add(type);
    if (type === "fullscreenchange") C.events.add(type);
    const target = event.composedPath()[0];
    if (target) W.touched.add(target);
    W.last = now();
  }, { capture: true, passive: true });
}
addEventListener("toggle", (event) => {
  if (W.open && W.snap && (event.newState === "open" || event.target?.open)) W.opened.push(event.target);
}, { capture: true, passive: true });
// What the pointer alone stirs up (hover styles set by script) is no consequence of a click.
addEventListener("pointerdown", () => {
  if (!W.open || !W.snap || W.pressed) return;
  note(observer.takeRecords());
  W.pressed = now();
  W.changes = 0;
  W.counted.clear();
  W.last = 0;
  W.examples = [];
  forgetTexts();
  forgetCauses();
}, { capture: true, passive: true });

const FIELDS = "input:not([type=hidden]),textarea,select";
const MEDIA = "video,audio";
/** Fields that change without input. */
const restless = new WeakSet();
const LAYERS = "dialog[open],[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=tooltip],[popover]";
const isOpenLayer = (el) => isShown(el) && el.getClientRects().length > 0 && (!el.hasAttribute("popover") || el.matches(":popover-open"));

/** What a field shows, for comparing within this page only. */
const faceOf = (el) => ("paused" in el ? el.paused : el.localName === "select" ? [...el.selectedOptions].map((o) => o.index).join() : el.type === "checkbox" || el.type === "radio" ? el.checked : el.value);

function fieldFaces() {
  const faces = new Map();
  for (const el of document.querySelectorAll(`${FIELDS},${MEDIA}`)) {
    if (faces.size >= 1000) break;
    faces.set(el, faceOf(el));
  }
  return faces;
}

const stateKeys = ["checked", "pressed", "selected", "expanded"];
const stateNow = (el) => statesOf(el, roleOf(el));

function caret() {
  const el = focused();
  let place = "";
  try {
    if (el && (el.localName === "input" || el.localName === "textarea")) place = `${idOf(el)}:${el.selectionStart}-${el.selectionEnd}`;
  } catch {
    place = "";
  }
  const s = getSelection();
  return place || (s?.anchorNode ? `${idOf(s.anchorNode)}:${s.anchorOffset}-${s.focusNode ? idOf(s.focusNode) : 0}:${s.focusOffset}` : "");
}

/** What no mutation tells of, to be compared with later. */
function view(el, faces = fieldFaces()) {
  return {
    url: location.href,
    focus: focused(),
    faces,
    scroll: [scrollX, scrollY],
    picture: pictureOf(el),
    layers: new Set([...document.querySelectorAll(LAYERS)].filter(isOpenLayer)),
    caret: caret(),
    state: el ? stateNow(el) : {},
  };
}

/** Begins to watch: from here on, changes are consequences of the input that follows. */
function arm({ el = null, id = 0, ...aimed }) {
  note(observer.takeRecords());
  watchShadows(document);
  el ??= id ? byId(id) : null;
  Object.assign(W, { open: true, at: now(), pressed: 0, changes: 0, last: 0, held: 0, examples: [], scrolls: 0, opened: [] });
  W.counted.clear();
  forgetTexts();
  forgetCauses();
  const faces = fieldFaces();
  for (const [el, face] of faces) if (W.resting?.has(el) && W.resting.get(el) !== face) restless.add(el);
  W.events = new Set();
  W.touched = new WeakSet();
  W.snap = { ...view(el, faces), el, animations: new Set(document.getAnimations()) };
  expectArrival(el, aimed);
  return {};
}

/** Colours fade without moving anything: nobody has to wait for that. */
const FADING = /colou?r|shadow|fill|stroke|outline|decoration|background|filter|cursor/;

/** A running animation that will end and that moves or reveals something. */
function moving() {
  const before = W.snap?.animations;
  return document.getAnimations().find((a) => {
    if (a.playState !== "running" || before?.has(a)) return false;
    if (a.transitionProperty && FADING.test(a.transitionProperty)) return false;
    const timing = a.effect?.getComputedTiming?.();
    return timing && Number.isFinite(timing.endTime) && timing.endTime < 10000 && isShown(a.effect.target ?? document.documentElement);
  });
}

/** A value changed that no mutation tells of: fields set by script, a caret, a layer. */
function compare(snap = W.snap) {
  if (!snap) return { values: [], opened: [] };
  const values = [];
  for (const [el, face] of fieldFaces()) if (snap.faces.has(el) && snap.faces.get(el) !== face && (!restless.has(el) || W.touched.has(el))) values.push(el);
  const opened = [...document.querySelectorAll(LAYERS)].filter((el) => isOpenLayer(el) && !snap.layers.has(el));
  for (const el of W.opened) if (el?.isConnected && !opened.includes(el)) opened.push(el);
  return { values, opened };
}

const STATE_WORDS = {
  checked: { on: "checked", off: "not checked", mixed: "partly checked" },
  pressed: { on: "pressed", off: "not pressed", mixed: "partly pressed" },
  selected: { true: "selected", false: "not selected" },
  expanded: { true: "expanded", false: "collapsed" },
};

/** One state of an element, in words; nothing when it is gone. */
function stateOf({ id, key }) {
  const el = byId(id);
  return el?.isConnected ? STATE_WORDS[key][String(stateNow(el)[key])] ?? null : null;
}

/** The states of the element that was aimed at which are others than before. */
function changedStates(state = W.snap?.state) {
  const el = W.snap?.el;
  if (!el?.isConnected) return [];
  const is = stateNow(el);
  return stateKeys.filter((key) => state[key] !== is[key]);
}

/** Everything that is known about the consequences so far. */
function report(by, busy) {
  recount();
  const snap = W.snap;
  const out = { by, busy, changes: W.changes, scroll: W.scrolls > 0 || C.scrolled, events: [...W.events], ready: document.readyState, took: Math.round(now() - W.at) };
  if (!snap) return out;
  const { values, opened } = compare();
  const fields = values.filter((el) => !el.matches(MEDIA));
  out.sure = isCertain();
  missesInput();
  out.aimed = true;
  out.arrived = A.clicked;
  out.lost = A.lost;
  out.spans = spansOfWall();
  out.drawn = C.drawn;
  out.refused = refusals();
  if (C.paints.length && !W.changes) out.painted = C.paints.find((el) => el?.isConnected) ? labelOf(C.paints.find((el) => el?.isConnected)) : "";
  if (location.href !== snap.url) out.url = location.href;
  const opaque = !!snap.el && snap.el.localName?.includes("-") && !snap.el.shadowRoot;
  out.draws = opaque || [...document.querySelectorAll("canvas,video,embed,object")].some((el) => el.clientWidth * el.clientHeight > 900 && isShown(el));
  out.values = fields.length;
  if (fields.length === 1 && inputType(fields[0]) !== "password") out.value = `${labelOf(fields[0])} holds "${clip(String(valueOf(fields[0], roleOf(fields[0])) ?? ""), 80)}"`;
  if (opened.length) out.opened = opened.slice(0, 3).map(labelOf);
  const focus = focused();
  out.left = focus !== snap.focus && isEditable(snap.focus);
  if (focus !== snap.focus) {
    out.focus = focus && focus !== document.body ? labelOf(focus) : "";
    out.field = isEditable(focus) || focus?.localName === "select";
    out.own = !!(snap.el && focus && (within(focus, snap.el) || within(snap.el, focus)));
    out.moved = C.focus === focus;
  } else if (snap.el && isEditable(focus) && within(focus, snap.el)) {
    out.kept = labelOf(focus);
  }
  out.caret = caret() !== snap.caret;
  out.ended = ended();
  const el = snap.el;
  if (el) {
    out.gone = !el.isConnected;
    out.id = idOf(el);
    const was = snap.state, is = el.isConnected ? stateNow(el) : {};
    for (const key of stateKeys) {
      if (was[key] === undefined && is[key] === undefined) continue;
      out.state ??= [];
      out.state.push({ key, changed: was[key] !== is[key], flipped: was[key] === is[key] && C.state.has(key), says: STATE_WORDS[key][String(is[key])] ?? "" });
    }
    out.touched = W.touched.has(el);
    out.radio = inputType(el) === "radio" && el.checked;
  }
  if (W.changes) out.says = freshTexts();
  if (W.changes) out.where = [...new Set(W.examples.filter((n) => n.isConnected).map((n) => labelOf(isElement(n) ? n : up(n) ?? n)))].slice(0, 2);
  return out;
}

/**
 * Waits until nothing that the input set off moves any more: two frames, and then `quiet` ms since the last change.
 * With `patience` it first waits that long (counted from the input) for anything to happen at all; with `linger`, counted
 * from now. With `dwell` it waits that long in any case: what was set may be put back.
 */
async function settle({ quiet = 40, most = 3000, patience = 0, linger = 0, dwell = 0, frames = 2 }) {
  const began = now();
  for (let i = 0; i < frames; i++) await frame();
  // A page that is stuck for a moment is not quiet: there must be frames without a change too.
  let busy = "", calm = 0, seen = 0;
  for (;;) {
    note(observer.takeRecords());
    const t = now();
    busy = "";
    const animation = moving();
    const last = Math.max(W.held, W.scrolls ? W.last : 0);
    calm = last === seen ? calm + 1 : 0;
    seen = last;
    if (document.readyState === "loading") busy = "the document is still loading";
    else if (animation) busy = `${labelOf(animation.effect?.target ?? document.body)} is moving`;
    else if (last && (t - last < quiet || calm < 2)) busy = `${labelOf(W.examples.at(-1) ? (isElement(W.examples.at(-1)) ? W.examples.at(-1) : up(W.examples.at(-1))) : document.body)} keeps changing`;
    else if (t - W.at < dwell) busy = "waiting";
    else if (t - W.at < patience && !hasCome()) busy = "waiting";
    else if (t - began < linger && !happened()) busy = "waiting";
    if (!busy) return report("idle", "");
    if (t - began >= most) return report(busy === "waiting" ? "idle" : "cap", busy === "waiting" ? "" : busy);
    if (busy === "waiting") await new Promise((done) => setTimeout(done, 25));
    else await frame();
  }
}

/** What is worth waiting for is there: something that is certainly the input's doing, and not only a coincidence. */
const hasCome = () => !W.snap || isCertain() || refusals().length > 0;

function happened() {
  if (W.changes || W.scrolls || W.events.size || W.opened.length) return true;
  const snap = W.snap;
  if (!snap || location.href !== snap.url) return true;
  const { values, opened } = compare();
  return values.length > 0 || opened.length > 0;
}

/** The wait is over: what changes from here on is not the input's doing. */
function rest() {
  note(observer.takeRecords());
  W.open = false;
  W.resting = fieldFaces();
  return {};
}
