// What a click at a point reaches, and a point at which a click reaches an element.

/** The innermost element at a point, through open shadow roots. */
function hitAt(x, y) {
  let el = document.elementFromPoint(x, y);
  while (el?.shadowRoot) {
    const inner = el.shadowRoot.elementFromPoint(x, y);
    if (!inner || inner === el) break;
    el = inner;
  }
  return el;
}

/** An event at `hit` is one for `el`: it is at it, in it, or at what the browser takes for it. */
function operates(el, hit) {
  if (within(el, hit)) return true;
  if (el.labels) for (const label of el.labels) if (within(label, hit)) return true;
  if (el.localName === "option" || el.localName === "optgroup") return within(el.closest("select") ?? el, hit);
  return el.localName === "area" && hit.localName === "img";
}

/** A click that lands on `hit`, the innermost element at a point, operates `el`. */
function reaches(el, hit) {
  if (!hit) return false;
  if (!isElement(el)) return within(up(el), hit) || (within(hit, up(el)) && !controlOf(el));
  if (operates(el, hit)) return true;
  if (!within(hit, el)) return false;
  // An ancestor took it: fine when it is the control that `el` belongs to, or when `el` is only a text or a box.
  const control = controlOf(el);
  return control ? within(hit, control) && control !== el : !isInteractive(el, roleOf(el));
}

const inView = (r) => ({
  left: Math.max(r.left, 0), top: Math.max(r.top, 0),
  right: Math.min(r.right, innerWidth), bottom: Math.min(r.bottom, innerHeight),
});
const isBig = (r) => r.right - r.left >= 1 && r.bottom - r.top >= 1;

/** The boxes that stand for an element: its own, or those of its label when it is drawn by the label (styled switches). */
function boxesOf(el) {
  if (!isElement(el)) return textBoxes(el);
  const own = [...el.getClientRects()].filter((r) => r.width >= 1 && r.height >= 1);
  const type = inputType(el);
  const styled = type === "checkbox" || type === "radio" || type === "file";
  if (styled && el.labels?.length && (!own.length || !isShown(el) || getComputedStyle(el).opacity === "0" || (own[0].width <= 1 && own[0].height <= 1))) {
    return [...el.labels].flatMap((l) => [...l.getClientRects()]).filter((r) => r.width >= 1 && r.height >= 1);
  }
  // An inline link around an image has a box of one line only: the children are what is seen.
  if (!own.length && el.children.length) return [...el.children].flatMap((c) => [...c.getClientRects()]).filter((r) => r.width >= 1 && r.height >= 1).slice(0, 4);
  return own;
}

function textBoxes(text) {
  const range = document.createRange();
  range.selectNodeContents(text);
  return [...range.getClientRects()].filter((r) => r.width >= 1 && r.height >= 1);
}

function boxOf(el) {
  const boxes = boxesOf(el);
  const own = isElement(el) ? el.getBoundingClientRect() : boxes[0];
  if (!boxes.length) return own ?? { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 };
  if (own.width >= 1 && own.height >= 1 && boxes[0].left >= own.left - 1 && boxes[0].right <= own.right + 1) return own;
  const left = Math.min(...boxes.map((b) => b.left)), top = Math.min(...boxes.map((b) => b.top));
  const right = Math.max(...boxes.map((b) => b.right)), bottom = Math.max(...boxes.map((b) => b.bottom));
  return { left, top, right, bottom, width: right - left, height: bottom - top };
}

/** A click at a point reaches `el`. */
const liesAt = (el, x, y) => boxesOf(el).some((b) => x >= b.left && x < b.right && y >= b.top && y < b.bottom) && reaches(el, hitAt(x, y));

/** It is not in the document, or nothing of it is drawn. */
const isGone = (el) => !el.isConnected || !boxesOf(el).length || (isElement(el) && !isShown(el) && !el.labels?.length);

/** Places within a box, the best first: the middle, then a grid, then the corners. */
const SPOTS = [[0.5, 0.5], [0.25, 0.5], [0.75, 0.5], [0.5, 0.25], [0.5, 0.75], [0.1, 0.1], [0.9, 0.1], [0.1, 0.9], [0.9, 0.9]];

/** A point at which a click reaches `el`: {x, y}, or {by} when something else takes it, or {out} when it is not in view. */
function pointOf(el, tries = SPOTS.length, known = null) {
  // Most of a long page is far from the viewport: one look at the box settles that.
  if (known && known.width >= 2 && !isBig(inView(known))) return { out: true };
  let boxes = boxesOf(el).map(inView).filter(isBig);
  if (!boxes.length) return { out: true };
  // The middle of the largest part first: people aim there.
  boxes.sort((a, b) => (b.right - b.left) * (b.bottom - b.top) - (a.right - a.left) * (a.bottom - a.top));
  boxes = boxes.slice(0, 3);
  const middle = { x: (boxes[0].left + boxes[0].right) / 2, y: (boxes[0].top + boxes[0].bottom) / 2 };
  let by = hitAt(middle.x, middle.y);
  if (reaches(el, by)) return middle;
  // Boxes that scroll may show only a part of it: the other places are looked for in that part.
  boxes = boxes.map((box) => clipped(el, box)).filter(isBig);
  if (!boxes.length) return { out: true };
  for (const box of boxes) {
    for (const [fx, fy] of SPOTS.slice(0, tries)) {
      const x = box.left + (box.right - box.left) * fx, y = box.top + (box.bottom - box.top) * fy;
      const hit = hitAt(x, y);
      if (reaches(el, hit)) return { x, y };
    }
  }
  return { by };
}

/** What the boxes around an element leave of a box of it. */
function clipped(el, box) {
  let { left, top, right, bottom } = box;
  let positioned = false;
  for (let e = el; e && e !== document.documentElement && e !== document.body; e = up(e)) {
    const style = getComputedStyle(e);
    if (e !== el && !positioned && /auto|scroll|hidden|clip/.test(style.overflowX + style.overflowY)) {
      const edge = e.getBoundingClientRect();
      left = Math.max(left, edge.left);
      top = Math.max(top, edge.top);
      right = Math.min(right, edge.right);
      bottom = Math.min(bottom, edge.bottom);
    }
    // A fixed box is clipped by nothing around it; an absolute one only by what it is placed in.
    if (style.position === "fixed") break;
    positioned = style.position === "absolute" || (positioned && style.position === "static");
  }
  return { left, top, right, bottom };
}

/** A bar that stays while the page scrolls under it: what it covers can be scrolled out from under it. */
function isBar(hit) {
  const bar = hit && closest(hit, (e) => /fixed|sticky/.test(getComputedStyle(e).position));
  return !!bar && bar.getBoundingClientRect().height < innerHeight / 2;
}

async function bringIntoView(el) {
  const shown = isElement(el) ? (el.labels?.[0] && !isShown(el) ? el.labels[0] : el) : up(el);
  shown.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
  // Its scroll events come with the next frame: they are no consequence of the input that follows, and no habit of the page.
  await frame();
  for (let e = shown; e; e = up(e)) scrolledFreely.delete(e);
  scrolledFreely.delete(document);
}

/** What a click on an element of an iframe has to pass: the iframe at a point of this document. */
async function throughFrame({ index, x, y, quiet }) {
  const el = window[index] && [...document.querySelectorAll("iframe,frame")].find((f) => frameIndex(f) === index);
  if (!el) return { gone: true };
  const place = () => {
    const origin = frameOrigin(el);
    return { x: origin.x + x * origin.sx, y: origin.y + y * origin.sy };
  };
  const isOut = (p) => p.x < 0 || p.y < 0 || p.x >= innerWidth || p.y >= innerHeight;
  let at = place();
  if (isOut(at)) {
    await bringIntoView(el);
    at = place();
  }
  const hit = hitAt(at.x, at.y);
  if (!quiet) arm({ el });
  return hit === el ? at : { ...at, by: labelAt(hit), out: isOut(at) };
}

const YOUNG = 3500;
const isBackground = (el) => !el || el === document.body || el === document.documentElement;

/**
 * Looks again before input. With `id`: that element must be attached, and the point must reach it; it may have moved, and is
 * scrolled into view when needed. Without: tells what lies at the point. In both cases {x, y, on, disabled, …} or
 * {gone} or {by} or {frame}. Then what follows is watched, unless something is to be dropped there.
 */
async function aim({ id, x, y, drop }) {
  let el = null;
  if (id) {
    el = byId(id);
    if (!el?.isConnected) return { gone: true };
    if (drop && isElement(el)) el = headed(el);
    if (isGone(el)) return { gone: true, hidden: true, on: labelOf(el) };
    if (!liesAt(el, x, y)) {
      let found = pointOf(el);
      if (found.x === undefined && (found.out || isBar(found.by))) {
        await bringIntoView(el);
        found = pointOf(el);
      }
      if (found.x === undefined) {
        const box = boxOf(el);
        const by = found.out ? "nothing; it is outside the viewport" : labelAt(found.by);
        return { x: box.left + box.width / 2, y: box.top + box.height / 2, by, on: labelOf(el) };
      }
      ({ x, y } = found);
    }
  } else {
    if (!(x >= 0 && y >= 0 && x < innerWidth && y < innerHeight)) return { outside: true, width: innerWidth, height: innerHeight };
    el = hitAt(x, y);
    // A page that is only seconds old may not have drawn yet what the point was meant for.
    while (isBackground(el) && now() < YOUNG) {
      await frame();
      el = hitAt(x, y);
    }
    if (el && (el.localName === "iframe" || el.localName === "frame")) {
      const origin = frameOrigin(el);
      arm({ el });
      return { frame: frameIndex(el), x, y, inner: { x: (x - origin.x) / origin.sx, y: (y - origin.y) / origin.sy, ox: origin.x, oy: origin.y, sx: origin.sx, sy: origin.sy }, on: labelOf(el) };
    }
  }
  const subject = (id && isElement(el) ? el : controlOf(el) ?? (isElement(el) ? el : up(el ?? document.body))) ?? document.documentElement;
  const control = subject.localName === "label" && subject.control ? subject.control : subject;
  const result = { x, y, id: idOf(control), on: labelOf(control), role: roleOf(control), kind: kindOf(control), editable: isEditable(control) };
  if (isDisabled(control)) result.disabled = true;
  if (!drop) arm({ el: control, on: result.on, x, y });
  return result;
}

const kindOf = (el) => (el.localName === "input" ? `input:${el.type}` : el.localName);
