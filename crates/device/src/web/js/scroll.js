// What scrolls at a place, how far it is, and waiting until it stands.

const rootScroller = () => document.scrollingElement ?? document.documentElement;
const isRoot = (el) => el === rootScroller() || el === document.documentElement || el === document.body;

function canScroll(el, axis) {
  const vertical = axis === "y";
  const more = vertical ? el.scrollHeight - el.clientHeight : el.scrollWidth - el.clientWidth;
  if (more <= 1) return false;
  const style = getComputedStyle(el);
  const overflow = vertical ? style.overflowY : style.overflowX;
  if (isRoot(el)) {
    // Of the root, only hidden and clip take the scrolling away; body hands its overflow to the viewport.
    const shown = (e) => e && /hidden|clip/.test(vertical ? getComputedStyle(e).overflowY : getComputedStyle(e).overflowX);
    return !shown(document.documentElement) && !(shown(document.body) && getComputedStyle(document.documentElement).overflow === "visible");
  }
  return /auto|scroll|overlay/.test(overflow);
}

function extent(el, axis) {
  const root = isRoot(el);
  const page = axis === "y" ? (root ? innerHeight : el.clientHeight) : root ? innerWidth : el.clientWidth;
  const whole = axis === "y" ? el.scrollHeight : el.scrollWidth;
  const at = axis === "y" ? el.scrollTop : el.scrollLeft;
  return { at, max: Math.max(0, whole - (axis === "y" ? el.clientHeight : el.clientWidth)), page };
}

const roomIn = (el, axis, sign) => {
  const { at, max } = extent(el, axis);
  return sign > 0 ? max - at > 1 : at > 1 || (max > 0 && at < -1 - 0 && -at < max);
};

/** The box that a wheel at this point (or over this element) would move, and how far it can go. */
function scroller({ id, x, y, axis, sign }) {
  const aimed = id ? byId(id) : hitAt(x, y);
  if (id && !aimed?.isConnected) return { gone: true };
  // A run of text scrolls with what holds it.
  const start = aimed && !isElement(aimed) ? up(aimed) : aimed;
  if (!id && start && start.localName === "iframe") {
    const origin = frameOrigin(start);
    return { frame: frameIndex(start), inner: { x: (x - origin.x) / origin.sx, y: (y - origin.y) / origin.sy, ox: origin.x, oy: origin.y, sx: origin.sx, sy: origin.sy } };
  }
  const chain = [];
  for (let el = start ?? rootScroller(); el; el = up(el)) if (!isRoot(el) && canScroll(el, axis)) chain.push(el);
  if (canScroll(rootScroller(), axis)) chain.push(rootScroller());
  const el = chain.find((e) => roomIn(e, axis, sign)) ?? chain[0];
  arm({});
  if (!el) return { none: true, others: otherScrollers(axis) };
  const box = isRoot(el) ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : inView(el.getBoundingClientRect());
  const inside = (px, py) => px >= box.left && px < box.right && py >= box.top && py < box.bottom;
  const at = inside(x, y) ? { x, y } : { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  return { id: idOf(el), on: isRoot(el) ? "the page" : labelOf(el), ...at, ...extent(el, axis) };
}

/** Boxes elsewhere that do scroll: told when the one that was meant does not. */
function otherScrollers(axis) {
  const found = [];
  for (const el of document.querySelectorAll("*")) {
    if (found.length >= 3) break;
    if (isRoot(el) || !canScroll(el, axis) || !isShown(el)) continue;
    const box = inView(el.getBoundingClientRect());
    if (isBig(box)) found.push(`${labelOf(el)} at (${Math.round((box.left + box.right) / 2)}, ${Math.round((box.top + box.bottom) / 2)})`);
  }
  return found;
}

/** Waits until a box has stopped moving: first for it to start, then for three equal frames. */
async function scrolled({ id, axis, from, start = 200, most = 2000 }) {
  const el = byId(id);
  if (!el?.isConnected) return { gone: true };
  const began = now();
  let last = extent(el, axis).at, still = 0;
  while (now() - began < most) {
    await frame();
    const at = extent(el, axis).at;
    still = at === last ? still + 1 : 0;
    last = at;
    if (still >= (at === from ? Math.ceil(start / 16) : 3)) break;
    if (at === from && now() - began > start) break;
  }
  return extent(el, axis);
}

/** At an edge, lists load more: waits a moment for the box to grow. */
async function grows({ id, axis, max, most = 600 }) {
  const el = byId(id);
  if (!el?.isConnected) return { gone: true };
  const began = now();
  while (now() - began < most) {
    if (extent(el, axis).max > max + 1) break;
    await new Promise((done) => setTimeout(done, 30));
  }
  return extent(el, axis);
}
