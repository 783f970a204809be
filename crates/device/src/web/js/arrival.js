// Where the presses and clicks of an input really went, beside what they were aimed at.
//
// A press can move, hide, redraw or cover the very thing that it was meant for, and so can a page by itself between the last
// look and the input. Then the click goes to something else, or the browser sends none: it needs a press and a release on
// elements that are both still there.

/** Since `arm`. */
const A = {};

/** What follows is meant for `el`, which is called `on`, at a point of it. */
function expectArrival(el, { on, x, y }) {
  const box = el ? boxOf(el) : null;
  const parent = el ? up(el) : null;
  forgetDrag();
  Object.assign(A, { el, on, x, y, box, parent, born: new WeakSet(), pressed: false, released: false, clicked: false, awaited: false, blurred: false, lost: null });
}

/** It was drawn since. */
const isBorn = (el) => !!closest(el, (e) => A.born.has(e));

/** What stands at a place for an element that was drawn anew: one of the same role and name, which was not there before. */
const standsIn = (hit) => !A.el.isConnected && !!A.on && !!closest(hit, (e) => isBorn(e) && labelOf(e) === A.on);

/** The event is at what was aimed at, or that is still what lies there: pages may send an event elsewhere on purpose. */
function arrives(event) {
  const { clientX: x, clientY: y } = event;
  const target = event.composedPath()[0];
  if (operates(A.el, target)) return true;
  return A.el.isConnected ? liesAt(A.el, x, y) : standsIn(target);
}

function follow(event) {
  const isPress = event.type === "pointerdown";
  if (!W.open || !W.snap) {
    // Nothing was aimed at in this document.
    if (isPress) tellNow({ lost: { what: "press", how: "covered", by: labelAt(event.composedPath()[0]), pressed: false, alone: false } });
    return;
  }
  followDrag(event);
  if (!A.el || A.lost) return;
  switch (event.type) {
    case "pointerup":
      A.released = true;
      // Another button's release is followed by no click.
      if (event.button !== 0) return;
      A.awaited = true;
      break;
    case "click":
      if (!A.awaited) return;
      A.awaited = false;
      break;
    case "pointerdown":
    case "contextmenu":
    case "dblclick":
      break;
    default:
      return;
  }
  if (!arrives(event)) lose(isPress ? "press" : "click", hitAt(event.clientX, event.clientY) ?? event.composedPath()[0]);
  else if (isPress) A.pressed = true;
  else if (event.type !== "pointerup") A.clicked = true;
}

/** A field that was left takes its text now, and a page may draw everything anew because of it, after the press. */
function followFocus(event) {
  if (A.pressed && !A.released && A.el?.isConnected && ["change", "focusout", "blur"].includes(event.type) && event.target !== A.el) A.blurred = true;
}

/** The input's task is over, and no click came of the release. */
function missesClick() {
  if (A.awaited && W.open) lose("click", null);
}

/** Documents that may take input without telling this one. */
const INNER = new Set(["iframe", "frame", "embed", "object"]);

/** The input was acknowledged; what came of it is not here when another document took it. */
function missesInput() {
  if (A.x === undefined || !A.el || A.lost || A.released || INNER.has(A.el.localName)) return;
  const hit = hitAt(A.x, A.y);
  if (!INNER.has(hit?.localName)) return;
  lose(A.pressed ? "click" : "press", hit);
}

function lose(what, hit) {
  A.awaited = false;
  const el = A.el;
  const box = isGone(el) ? null : boxOf(el);
  const how = !hit ? "redrawn" : !box ? "gone" : isAway(1) ? "moved" : "covered";
  A.lost = {
    what, how,
    by: hit ? labelAt(hit) : "",
    pressed: A.pressed,
    // It outlived the press, and went with what another field did when the focus left it.
    blurred: A.blurred && !el.isConnected,
    // Only it is gone, and what it stood in is there as before.
    alone: !box && !!A.parent?.isConnected && isShown(A.parent),
  };
  // The document may leave because of what took the click, before anyone asks it.
  tellNow({ lost: A.lost });
}
