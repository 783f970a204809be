// Dragging: whether the page's own drag and drop began, what it makes of the thing over a place, and where that ends.

/** A drag that the page is told of, beside `A`, and forgotten with it. */
const D = {};

function forgetDrag() {
  Object.assign(D, { started: null, over: null, chain: [], goal: null, follows: false });
}

/** The page's own events of a drag. */
function followDrag(event) {
  if (event.type === "dragstart") D.started = event;
  else if (event.type === "dragover") D.over = event;
}

/** The pointer is down on it and moved a little. Whether the browser's own drag began, and what stands where. */
function lifted() {
  D.chain = [];
  for (let el = A.el; el && D.chain.length < 8 && el !== document.body; el = up(el)) D.chain.push({ el, holder: up(el), after: el.previousElementSibling, before: el.nextElementSibling });
  return { drags: !!D.started && !D.started.defaultPrevented };
}

/** It is over a place: waits until the page has drawn what it makes of that. `takes`: it may be dropped there. */
async function hover({ id = 0, x, y }) {
  const el = (id && byId(id)) || (x === undefined ? null : hitAt(x, y));
  D.goal = el && { el, x, y };
  D.follows ||= isAway(8);
  const { changes } = await settle({ most: 600 });
  return { changes, takes: D.over ? D.over.defaultPrevented || isEditable(D.over.composedPath()[0]) : null };
}

/** It is drawn more than so many points from where it was. */
function isAway(far) {
  const box = A.el && !isGone(A.el) ? boxOf(A.el) : null;
  return !!box && Math.hypot(box.left - A.box.left, box.top - A.box.top) > far;
}

/** Where what was dragged stands now, and whether that is the goal. */
function ended() {
  if (!D.goal) return null;
  const moved = D.chain.find(({ el, holder }) => el.isConnected && up(el) !== holder)
    ?? D.chain.find(({ el, after, before }) => el.isConnected && el.previousElementSibling !== after && el.nextElementSibling !== before);
  if (!moved) return { back: D.follows && A.el.isConnected && !isAway(2) };
  const holder = up(moved.el);
  const { el: goal, x, y } = D.goal;
  const r = holder.getBoundingClientRect();
  const there = within(goal, holder) || within(holder, goal) || (x >= r.left && x < r.right && y >= r.top && y < r.bottom);
  return { at: placeIn(holder, moved.el), there };
}

const HEADING = "h1,h2,h3,h4,h5,h6,[role=heading]";

/** Where an element stands in its parent, as people say it: after what, under which heading. */
function placeIn(holder, el) {
  const { previousElementSibling: after, nextElementSibling: before } = el;
  const words = after ? [`after ${labelOf(after)}`] : before ? [`before ${labelOf(before)}`] : [];
  for (let e = holder; e && e !== document.body; e = up(e)) {
    const last = e.previousElementSibling;
    const heading = last && (last.matches(HEADING) ? last : last.querySelector(HEADING));
    if (!heading) continue;
    words.push(`under ${labelOf(heading)}`);
    break;
  }
  return words.join(" ") || `in ${labelOf(holder)}`;
}

/**
 * A heading takes nothing that is dropped on it: what is meant is the box under it, or the one that it stands in. One that is
 * itself part of a thing to drag is no heading of a box.
 */
function headed(el) {
  if (roleOf(el) !== "heading" || closest(el, (e) => e.draggable === true || /^(listitem|option|row|treeitem)$/.test(roleOf(e)))) return el;
  const head = el.getBoundingClientRect();
  const isUnder = (r) => isBig(r) && r.top >= head.bottom - 1 && r.left < head.right && r.right > head.left;
  for (let e = el; e && e !== document.body; e = up(e)) {
    if (e !== el && e.querySelectorAll(HEADING).length > 1) return el;
    if (e !== el && e.getBoundingClientRect().bottom > head.bottom + 24) return e;
    for (let next = e.nextElementSibling; next; next = next.nextElementSibling) {
      if (roleOf(next) === "heading" || next.querySelector(HEADING)) break;
      if (isShown(next) && isUnder(next.getBoundingClientRect())) return next;
    }
  }
  return el;
}
