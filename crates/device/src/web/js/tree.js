// The UI tree: controls, texts and the boxes that group them, in document order, parents first.

const LISTED = new Set((
  "alert alertdialog article banner blockquote button caption cell checkbox columnheader combobox complementary contentinfo dialog " +
  "feed figure form grid gridcell group heading iframe img link list listbox listitem log main menu menubar menuitem menuitemcheckbox " +
  "menuitemradio meter navigation option progressbar radio radiogroup region row rowheader search searchbox slider spinbutton status " +
  "switch tab table tablist tabpanel textbox toolbar tooltip tree treegrid treeitem video audio"
).split(" "));
const NAMED_ONLY = new Set(["group", "img", "figure", "region", "form"]);
/** Texts inside these are their name already. */
const SWALLOWS = new Set((
  "button checkbox columnheader heading link menuitem menuitemcheckbox menuitemradio option radio rowheader switch tab tooltip treeitem caption"
).split(" "));
const LEAVES = new Set(["select", "textarea", "input", "img", "svg", "canvas", "video", "audio", "iframe", "frame", "object", "embed", "meter", "progress"]);
const SKIPPED = new Set(["script", "style", "noscript", "template", "head", "link", "meta", "base", "datalist", "option", "optgroup", "source", "track"]);
const CONTROLS = "a[href],button,input:not([type=hidden]),select,textarea,[role=button],[role=link],[role=checkbox],[role=switch],[onclick]";

function tree({ limit = 5000 }) {
  const list = [];
  const state = { list, limit, truncated: false, deadline: now() + 1500, repeats: new Map(), eaten: new WeakSet() };
  memo = new Map();
  const top = document.body ?? document.documentElement;
  if (top) walk(top, -1, state, false, { all: null, placed: null });
  memo = null;
  return { nodes: list, truncated: state.truncated };
}

/** What boxes that hide their overflow leave of the page: of everything in them, and of what is placed absolutely. */
function windowOf(el, style, around) {
  let { all, placed } = around;
  if (style.position === "fixed") all = placed = null;
  else if (style.position === "absolute") all = placed;
  if (all && /auto|scroll/.test(style.overflowX + style.overflowY)) {
    // What a box that scrolls holds can be brought into sight, as long as the box itself is.
    const own = el.getBoundingClientRect();
    if (own.width >= 5 && own.height >= 5 && !isClipped(own, all)) return { all: null, placed: null };
  }
  const hides = /hidden|clip/.test(style.overflowX + style.overflowY) && el !== document.body && el !== document.documentElement;
  if (!hides) return all === around.all && placed === around.placed ? around : { all, placed };
  const r = el.getBoundingClientRect();
  const cut = (c) => ({
    left: c ? Math.max(c.left, r.left) : r.left, top: c ? Math.max(c.top, r.top) : r.top,
    right: c ? Math.min(c.right, r.right) : r.right, bottom: c ? Math.min(c.bottom, r.bottom) : r.bottom,
  });
  all = cut(all);
  return { all, placed: style.position === "static" && style.transform === "none" ? placed : all };
}

/** A closed accordion or a slide that is not shown: a sliver of an element at the edge is nothing that a person sees. */
function isClipped(box, shown) {
  if (!shown) return false;
  const width = Math.min(box.right, shown.right) - Math.max(box.left, shown.left);
  const height = Math.min(box.bottom, shown.bottom) - Math.max(box.top, shown.top);
  return width < Math.min(5, box.width / 2) || height < Math.min(5, box.height / 2);
}

function walk(el, parent, state, swallowed, around) {
  if (state.list.length >= state.limit || now() > state.deadline) {
    state.truncated = true;
    return;
  }
  const tag = el.localName;
  if (SKIPPED.has(tag) || el.getAttribute("aria-hidden") === "true" || el.inert === true) return;
  const style = getComputedStyle(el);
  if (style.display === "none") {
    // A box that is switched off, whose label stands for it, is still operated by people.
    if (isDrawnByLabel(el)) list(el, roleOf(el), parent, state, true, around.all);
    return;
  }
  const role = roleOf(el);
  const inside = windowOf(el, style, around);
  // What an element hides of itself does not hide the element.
  const outer = style.position === "fixed" ? null : style.position === "absolute" ? around.placed : around.all;
  const visible = style.visibility === "visible" || style.visibility === "";
  let own = parent, deeper = swallowed;
  if (visible || isDrawnByLabel(el)) {
    const interactive = isInteractive(el, role, style);
    if (isListed(el, role, interactive, style, state)) {
      const at = list(el, role, parent, state, interactive, outer);
      if (at >= 0) {
        own = at;
        const node = state.list[at];
        const holder = interactive && !WIDGETS.has(role);
        if (SWALLOWS.has(role) || ((holder || role === "cell" || role === "gridcell") && node.name && !el.querySelector(CONTROLS))) deeper = true;
      }
    }
  }
  if (LEAVES.has(tag)) return;
  if (tag === "label" && el.control && isShown(el)) deeper = true;
  if (!deeper && visible) texts(el, own, state, inside.all);
  for (const child of childrenOf(el)) if (isElement(child) && !state.eaten.has(child)) walk(child, own, state, deeper, inside);
}

const isDrawnByLabel = (el) => (inputType(el) === "checkbox" || inputType(el) === "radio") && el.labels?.length > 0 && boxesOf(el).length > 0;

function isListed(el, role, interactive, style, state) {
  if (el.localName === "label" && el.control) return false;
  if (role === "textbox" && !isEditable(el) && !el.hasAttribute("role")) return false;
  if (interactive) return true;
  if (role === "generic") return isCard(el, style, state);
  if (!LISTED.has(role)) return false;
  if (NAMED_ONLY.has(role)) return el.localName === "fieldset" || role === "figure" || tidy(nameOf(el, role)) !== "";
  return true;
}

/** One of several alike boxes that hold a control and a text: a card, a row made of plain boxes. */
function isCard(el, style, state) {
  const parent = el.parentElement;
  if (!parent || el.children.length === 0 || style.display === "inline" || style.display === "contents") return false;
  let alike = state.repeats.get(parent);
  if (!alike) {
    alike = new Map();
    for (const child of parent.children) {
      const key = `${child.localName}.${child.classList[0] ?? ""}`;
      alike.set(key, (alike.get(key) ?? 0) + 1);
    }
    state.repeats.set(parent, alike);
  }
  if (alike.get(`${el.localName}.${el.classList[0] ?? ""}`) < 2) return false;
  const holds = el.querySelector(CONTROLS) !== null || [...el.querySelectorAll("[class*=switch],[class*=toggle]")].some(isDrawnSwitch);
  return holds && el.textContent.trim() !== "" && (el.children.length > 1 || el.firstElementChild.children.length > 1);
}

const INLINE_TEXT = new Set("a b i em strong span small code kbd mark s u sub sup time abbr cite q var font bdi bdo data del ins dfn samp tt big label".split(" "));

/** The visible text of a box that has text of its own, with the plain inline elements in it, as one node. */
function texts(el, parent, state, shown) {
  let direct = false;
  for (const node of childrenOf(el)) if (node.nodeType === 3 && node.data.trim()) direct = true;
  if (!direct) return;
  let run = [], text = "";
  const flush = () => {
    const line = clip(tidy(text));
    if (line && run.length && state.list.length < state.limit) addText(el, run, line, parent, state, shown);
    run = [];
    text = "";
  };
  const gather = (node) => {
    if (node.nodeType === 3) {
      text += node.data;
      if (node.data.trim()) run.push(node);
    } else if (isElement(node)) {
      if (node.localName === "br") text += " ";
      else if (isPlainInline(node)) {
        state.eaten.add(node);
        for (const child of childrenOf(node)) gather(child);
      } else flush();
    }
  };
  for (const node of childrenOf(el)) gather(node);
  flush();
}

function isPlainInline(el) {
  if (!INLINE_TEXT.has(el.localName) || el.shadowRoot || el.getAttribute("aria-hidden") === "true") return false;
  const style = getComputedStyle(el);
  if (!style.display.startsWith("inline") || style.visibility !== "visible") return false;
  if (roleOf(el) !== "generic" && el.localName !== "time" && el.localName !== "code") return false;
  if (isInteractive(el, roleOf(el), style) || (el.localName === "label" && el.control)) return false;
  for (const child of el.children) if (child.localName !== "br" && !isPlainInline(child)) return false;
  return true;
}

function addText(el, run, line, parent, state, shown) {
  const range = document.createRange();
  range.setStart(run[0], 0);
  range.setEnd(run.at(-1), run.at(-1).data.length);
  const boxes = [...range.getClientRects()].filter((r) => r.width >= 1 && r.height >= 1);
  if (!boxes.length) return;
  const style = getComputedStyle(el);
  if (style.opacity === "0") return;
  const left = Math.min(...boxes.map((b) => b.left)), top = Math.min(...boxes.map((b) => b.top));
  const right = Math.max(...boxes.map((b) => b.right)), bottom = Math.max(...boxes.map((b) => b.bottom));
  if (isClipped({ left, top, right, bottom, width: right - left, height: bottom - top }, shown)) return;
  const node = { id: idOf(run[0]), parent, role: "text", name: line, rect: [left, top, right - left, bottom - top] };
  const seen = boxes.map(inView).find(isBig);
  if (seen) {
    const x = (seen.left + seen.right) / 2, y = (seen.top + seen.bottom) / 2;
    const hit = hitAt(x, y);
    if (hit && (within(el, hit) || within(hit, el))) node.point = [x, y];
    else if (hit) node.by = labelAt(hit);
  }
  state.list.push(node);
}

function list(el, role, parent, state, interactive, shown) {
  const own = el.getBoundingClientRect();
  const whole = own.width >= 2 && own.height >= 2 && el.localName !== "input";
  const box = whole ? own : boxOf(el);
  if (!(box.width >= 1 && box.height >= 1) && !interactive && role !== "row" && role !== "list" && role !== "listitem") return -1;
  if (box.width >= 1 && box.height >= 1 && isClipped(box, shown)) return -1;
  if (!whole && interactive && !boxesOf(el).length) return -1;
  const node = { id: idOf(el), parent, role, rect: [box.left, box.top, box.width, box.height] };
  // A box that takes clicks goes by its text, whatever the rules say of its role.
  const name = nameOf(el, role) || (interactive && !WIDGETS.has(role) ? clip(tidy(el.innerText ?? el.textContent ?? ""), 200) : "");
  if (name) node.name = name;
  const about = descriptionOf(el, name) || (interactive && el.hasAttribute("aria-label") ? seenText(el, name) : "");
  if (about) node.about = about;
  const hint = el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder");
  if (hint) node.placeholder = clip(squeeze(hint));
  const value = valueOf(el, role);
  if (value !== null && value !== undefined) node.value = clip(value);
  if (el.localName === "select") node.options = [...el.options].slice(0, 200).map((o) => clip(squeeze(o.label || o.text), 100));
  node.kind = kindOf(el);
  const hints = hintsOf(el);
  if (hints) node.hint = hints;
  const states = statesOf(el, role);
  if (Object.keys(states).length) node.states = states;
  if (interactive) node.interactive = true;
  const found = pointOf(el, interactive ? SPOTS.length : 3, whole ? own : null);
  if (found.x !== undefined) node.point = [found.x, found.y];
  else if (found.by) node.by = labelAt(found.by);
  if (role === "iframe") {
    node.frame = frameIndex(el);
    const origin = frameOrigin(el);
    node.origin = [origin.x, origin.y, origin.sx, origin.sy];
  }
  state.list.push(node);
  return state.list.length - 1;
}

/** What people read on a control that is called otherwise: the `+` of `More guests`. */
function seenText(el, name) {
  const text = tidy(el.innerText ?? "");
  return text.length <= 40 && text !== name ? text : "";
}

function hintsOf(el) {
  const parts = [];
  if (el.id) parts.push(`#${el.id}`);
  for (const key of [...TEST_IDS, "name"]) {
    const value = el.getAttribute(key);
    if (value) parts.push(`${key === "name" ? key : "testid"}=${value}`);
  }
  if (el.localName === "a" && el.getAttribute("href")) parts.push(`href=${el.getAttribute("href")}`);
  return clip(parts.join(" "), 150);
}
