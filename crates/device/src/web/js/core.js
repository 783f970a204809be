// Shared by all other files. Everything runs in one function in an isolated world: the page cannot see or break it.

/** Elements by number. The number is the element's handle outside; it stays valid while the element lives. */
const idByNode = new WeakMap();
const nodeById = new Map();
let lastId = 0;

function idOf(node) {
  let id = idByNode.get(node);
  if (!id) {
    id = ++lastId;
    idByNode.set(node, id);
    nodeById.set(id, new WeakRef(node));
    // Pages that redraw for hours leave dead entries behind: sweep them now and then.
    if (id % 20000 === 0) for (const [k, ref] of nodeById) if (!ref.deref()) nodeById.delete(k);
  }
  return id;
}

/** Whoever was attached to this document before left such a script behind, which nobody tells of an input any more. */
const instance = (globalThis.__handeyeInstance = {});

/** Tells something without being asked. */
function tellNow(what) {
  if (globalThis.__handeyeInstance === instance) globalThis.__handeyeTell?.(JSON.stringify(what));
}

const byId = (id) => nodeById.get(id)?.deref() ?? null;
const now = () => performance.now();
const squeeze = (text) => (text ?? "").replace(/[\s\u00a0\u200b]+/g, " ").trim();
const clip = (text, limit = 300) => (text.length > limit ? [...text.slice(0, limit)].slice(0, limit - 1).join("") + "…" : text);
const isElement = (node) => node?.nodeType === 1;
const tagOf = (el) => el.localName;

/** The parent as it is drawn: through slots and shadow roots. */
function up(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (!parent) return null;
  return parent.nodeType === 11 ? parent.host ?? null : isElement(parent) ? parent : null;
}

/** The children as they are drawn. */
function childrenOf(node) {
  if (node.shadowRoot) return node.shadowRoot.childNodes;
  if (node.localName === "slot" && node.assignedNodes) {
    const assigned = node.assignedNodes();
    if (assigned.length) return assigned;
  }
  return node.childNodes;
}

/** `inner` is `outer` or lies in it. */
function within(outer, inner) {
  for (let node = inner; node; node = up(node)) if (node === outer) return true;
  return false;
}

function closest(node, test) {
  for (let el = isElement(node) ? node : up(node); el; el = up(el)) if (test(el)) return el;
  return null;
}

/** Not hidden by display, visibility or content-visibility. Transparent elements count as shown: they take clicks. */
/** A slot and its like have no box of their own, and show what is in them where their parent is shown. */
const isShown = (el) => (getComputedStyle(el).display === "contents" ? !up(el) || isShown(up(el)) : el.checkVisibility?.({ visibilityProperty: true, contentVisibilityAuto: true }) ?? el.getClientRects().length > 0);

/** The focused element, looked for through open shadow roots. */
function focused() {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el;
}

/** Where this frame stands among its siblings, from the top: [] for the top frame itself. Works across origins. */
function framePath() {
  const path = [];
  for (let win = window; win !== win.parent && path.length < 20; win = win.parent) {
    let at = -1;
    for (let i = 0; i < win.parent.length; i++) if (win.parent[i] === win) at = i;
    path.unshift(at);
  }
  return path;
}

/** The number by which `framePath` knows an iframe's content, or -1. */
function frameIndex(el) {
  const inner = el.contentWindow;
  if (inner) for (let i = 0; i < window.length; i++) if (window[i] === inner) return i;
  return -1;
}

/** Where an iframe's own (0, 0) lies in this document and how much it is enlarged. */
function frameOrigin(el) {
  const box = el.getBoundingClientRect();
  const sx = el.offsetWidth ? box.width / el.offsetWidth : 1;
  const sy = el.offsetHeight ? box.height / el.offsetHeight : 1;
  const style = getComputedStyle(el);
  return {
    x: box.left + (el.clientLeft + parseFloat(style.paddingLeft)) * sx,
    y: box.top + (el.clientTop + parseFloat(style.paddingTop)) * sy,
    sx,
    sy,
  };
}

/** The device's clock as people write it. */
function clock() {
  const d = new Date();
  const two = (n) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
}

const place = () => ({ url: location.href, title: document.title, time: clock(), ready: document.readyState });
