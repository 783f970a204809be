// What an input did, told apart from what only happened at the same time.
//
// Certain is what happens in the input's own tasks: while its events are being handled, and what is different when they have
// been. Later changes are certain when the browser itself counts them to the interaction (its paint entries), or when a request
// was sent in the input's own tasks, which `traffic.rs` knows. Everything else that changes later may be a coincidence.

/** Events that an input consists of. */
const INPUTS = [
  "pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "keypress", "keyup",
  "beforeinput", "pointermove", "mousemove", "dragstart", "dragenter", "dragover", "drop", "dragend",
];
/** Events that the browser adds in the same tasks. A script can cause them too, so they count only there. */
const FOLLOWING = ["input", "change", "submit", "reset", "invalid", "beforetoggle", "focus", "blur", "focusin", "focusout", "copy", "cut", "paste", "cancel"];
/** A consequence by themselves. */
const TELLING = new Set(["input", "change", "submit", "copy", "cut", "paste", "fullscreenchange"]);
/** What a page prevents when it does something of its own instead. */
const ANSWERED = new Set(["click", "dblclick", "contextmenu", "keydown", "submit"]);
/** Keys that scroll, where nothing else takes them. */
const SCROLLING = new Set([" ", "PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"]);

/** Since `arm`, or since the pointer was pressed. */
const C = {};

function forgetCauses() {
  Object.assign(C, {
    /** Input events that are being handled now. */
    flight: [],
    /** The input's own tasks, as pairs of times; the last one may be going on. */
    spans: [],
    busy: false,
    /** The task that is going on began with a move, which the browser hands over together with the frame. */
    framed: false,
    changes: 0,
    values: new Set(),
    opened: new Set(),
    state: new Set(),
    events: new Set(),
    focus: undefined,
    caret: false,
    url: false,
    scrolled: false,
    /** When a key that scrolls was pressed. */
    scrollKey: -Infinity,
    drawn: false,
    /** What the browser painted because of these tasks. */
    paints: [],
    /** Events to which the page may do something else than the browser would. */
    answered: [],
    /** The clock of frames at the last of these events. */
    clock: null,
    /** A link was clicked whose address is a script: the browser runs it in a task of its own. */
    scripted: false,
    /** That the input is being handled was told. */
    told: false,
    /** Fields that the browser's own validation refused. */
    invalid: [],
  });
}
forgetCauses();

/** An input event is being handled right now. What the browser does after that, in the same task, may be mixed with frames. */
function isInFlight() {
  C.flight = C.flight.filter((event) => event.eventPhase !== 0);
  return C.flight.length > 0;
}

/** Stands still within a task: one that reads another time may be a frame's, which was handled before `ends` had its turn. */
const frameClock = () => document.timeline.currentTime;

function begins(event) {
  if (!W.open || !W.snap) return;
  // What was changed before this event is not its doing.
  note(observer.takeRecords());
  C.flight.push(event);
  if (event.type === "keydown" && SCROLLING.has(event.key)) C.scrollKey = now();
  C.clock = frameClock();
  if (ANSWERED.has(event.type)) C.answered.push(event);
  if (event.type === "click") C.scripted ||= event.composedPath().some((node) => String(node.href ?? "").startsWith("javascript:"));
  const framed = event.type.endsWith("move") || event.type === "dragover";
  if (C.busy) {
    C.framed &&= framed;
    tellHandling(!C.framed);
    return;
  }
  C.busy = true;
  C.framed = framed;
  tellHandling(!framed);
  const span = [now(), Infinity];
  C.spans.push(span);
  const before = view(W.snap.el);
  const end = () => ends(span, before);
  if (globalThis.scheduler?.postTask) scheduler.postTask(end, { priority: "user-blocking" });
  else setTimeout(end, 0);
}

/** The input's task is over: what is different from before it is its doing. */
function ends(span, before) {
  missesClick();
  if (!C.spans.includes(span)) return;
  note(observer.takeRecords());
  span[1] = now();
  C.busy = false;
  tellHandling(false);
  if (!W.snap) return;
  const { values, opened } = compare(before);
  for (const el of values) C.values.add(el);
  for (const el of opened) C.opened.add(el);
  for (const key of changedStates(before.state)) C.state.add(key);
  if (focused() !== before.focus) C.focus = focused();
  C.caret ||= caret() !== before.caret;
  C.url ||= location.href !== before.url;
  C.scrolled ||= scrollX !== before.scroll[0] || scrollY !== before.scroll[1];
  C.drawn ||= before.picture !== null && pictureOf(W.snap.el) !== before.picture;
}

/** A dialog that opens now is the input's doing. While it is open nothing can be asked. */
function tellHandling(now) {
  if (C.told === now) return;
  C.told = now;
  tellNow({ handling: now });
}

// The document will be gone when it is asked. Of pages that load themselves anew it is known that they do so by themselves; where
// one goes somewhere else, a click that led there by a timer is by far the likelier cause.
globalThis.navigation?.addEventListener("navigate", (event) => {
  if (!W.open || !W.snap || event.destination.sameDocument) return;
  const again = event.navigationType === "reload" || event.destination.url === location.href;
  const caused = !again || C.busy || event.userInitiated || C.scripted || C.answered.some((e) => e.defaultPrevented) || isCertain();
  tellNow({ leaves: { caused, spans: spansOfWall() } });
});

/** The documents around this one, as far as they are of the same origin, see the input too. */
globalThis.__handeyeInput = begins;
function tellAround(event) {
  for (let win = window; win !== win.parent; win = win.parent) {
    try {
      win.parent.__handeyeInput?.(event);
    } catch {
      return;
    }
  }
}

for (const type of INPUTS) {
  addEventListener(type, (event) => {
    if (!event.isTrusted) return;
    begins(event);
    follow(event);
    tellAround(event);
  }, { capture: true, passive: true });
}
for (const type of FOLLOWING) {
  addEventListener(type, (event) => {
    if (!event.isTrusted || !C.busy) return;
    followFocus(event);
    begins(event);
    if (TELLING.has(type)) C.events.add(type);
    if (type === "invalid") C.invalid.push(event.composedPath()[0]);
  }, { capture: true, passive: true });
}

/** A number for what a canvas shows; null where that cannot be read. */
function pictureOf(el) {
  if (el?.localName !== "canvas" || !el.width || !el.height || el.width * el.height > 2e6) return null;
  try {
    const copy = new OffscreenCanvas(el.width, el.height).getContext("2d", { willReadFrequently: true });
    copy.drawImage(el, 0, 0);
    let sum = 0;
    for (const value of new Uint32Array(copy.getImageData(0, 0, el.width, el.height).data.buffer)) sum = (Math.imul(sum, 31) + value) | 0;
    return sum;
  } catch {
    return null;
  }
}

/** The browser's own account of what an interaction led to, also through timers, promises and answers. */
const PAINT = "interaction-contentful-paint";

function takePaints(entries) {
  for (const entry of entries) if (W.snap && entry.startTime >= W.at - 1) C.paints.push(entry.largestContentfulPaint?.element ?? null);
}

const paints = PerformanceObserver.supportedEntryTypes?.includes(PAINT) ? new PerformanceObserver((list) => takePaints(list.getEntries())) : null;
paints?.observe({ type: PAINT });

/** The input's own tasks on the clock of the world, in milliseconds. */
const spansOfWall = () => C.spans.map(([from, to]) => [performance.timeOrigin + from, performance.timeOrigin + Math.min(to, now())]);

/** The field at which the browser's own validation stopped a form, with what it says. */
function refusals() {
  if (C.events.has("submit")) return [];
  const at = focused();
  const stopped = C.invalid.includes(at) && !(W.pressed && W.snap.el && within(W.snap.el, at));
  // Pages ask for the validity of fields at other times too; only a form that is not sent moves the focus to one.
  return stopped ? [at, ...C.invalid.filter((el) => el !== at)].map((el) => ({ on: labelOf(el), says: clip(el.validationMessage ?? "", 120) })) : [];
}

/** What is known to be the input's doing, apart from the focus. */
function isCertain() {
  if (paints) takePaints(paints.takeRecords());
  return C.changes > 0 || C.values.size > 0 || C.opened.size > 0 || C.url || C.scrolled || C.drawn || C.paints.length > 0
    || [...C.events].some((e) => TELLING.has(e)) || changedStates().some(isOwnState);
}

/** A state of the element that was aimed at changed, and does not change anyway. */
const isOwnState = (key) => C.state.has(key) || !(habits.get(W.snap.el)?.get(`aria-${key}`)?.free > 0 || restless.has(W.snap.el));
