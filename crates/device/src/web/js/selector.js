// Elements that a person who knows the page names exactly: CSS, XPath, role and name, text, test id.

const TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];
/** More than anybody wants to tell apart. */
const MOST_SELECTED = 200;

/** The document and every open shadow root in it. */
const roots = (root = document) => [root, ...[...root.querySelectorAll("*")].flatMap((el) => (el.shadowRoot ? roots(el.shadowRoot) : []))];
const everywhere = (css) => roots().flatMap((root) => [...root.querySelectorAll(css)]);
const drawn = () => everywhere("*").filter((el) => !SKIPPED.has(el.localName) || el.localName === "option");

/** Each way gives all that fit, also what is hidden, or `partial` when a text fits only in part. */
const ways = {
  css: (css) => ({ found: everywhere(css) }),
  testid: (id) => ({ found: everywhere(TEST_IDS.map((name) => `[${name}=${JSON.stringify(id)}]`).join()) }),
  xpath: (xpath) => ({ found: byXpath(xpath) }),
  role: byRole,
  text: byText,
};

function byXpath(xpath) {
  const kind = document.evaluate(xpath, document, null, XPathResult.ANY_TYPE, null).resultType;
  if (kind !== XPathResult.UNORDERED_NODE_ITERATOR_TYPE) throw new Error(`it gives a ${["", "number", "text", "truth value"][kind]}, not elements`);
  const all = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
  const nodes = Array.from({ length: all.snapshotLength }, (_, i) => all.snapshotItem(i));
  // A text or an attribute stands for its element.
  return nodes.map((node) => (isElement(node) ? node : node.ownerElement ?? node.parentElement ?? document.documentElement));
}

const plain = (text) => tidy(text ?? "").toLowerCase();

/** Those whose text is just this, else those whose text holds it. */
function fitting(wanted, candidates) {
  const whole = candidates((text) => text === wanted);
  return whole.length ? { found: whole } : { found: candidates((text) => text.includes(wanted)), partial: true };
}

function byRole({ role, name }) {
  const asked = plain(role) === "image" ? "img" : plain(role);
  if (!KNOWN_ROLES.has(asked) && !LISTED.has(asked)) throw new Error(`there is no role ${JSON.stringify(role)}`);
  const all = drawn().filter((el) => roleOf(el) === asked && !closest(el, (e) => e.getAttribute("aria-hidden") === "true"));
  if (name === undefined || name === null) return { found: all };
  const named = all.map((el) => [el, plain(nameOf(el, asked))]);
  return fitting(plain(name), (fits) => named.filter(([, text]) => fits(text)).map(([el]) => el));
}

/** The innermost elements with that text; the control around one when it says nothing else. */
function byText(text) {
  const wanted = plain(text);
  if (!wanted) throw new Error("the text is empty");
  const letters = wanted.replace(/\s/g, "");
  const mayHold = (el) => (el.textContent + (buttonText(el) ?? "")).toLowerCase().replace(/\s/g, "").includes(letters);
  const said = (el) => plain(buttonText(el) ?? el.innerText ?? el.textContent);
  const inner = (el, fits) => {
    if (SKIPPED.has(el.localName) || !(mayHold(el) || el.querySelector("input"))) return [];
    const deeper = [...el.children].flatMap((child) => inner(child, fits));
    return deeper.length ? deeper : fits(said(el)) ? [el] : [];
  };
  const outer = (el, fits) => {
    const control = controlOf(el);
    return control && fits(said(control)) && said(control) === said(el) ? control : el;
  };
  const tops = roots().flatMap((root) => (root === document ? [document.body ?? document.documentElement] : [...root.children]));
  return fitting(wanted, (fits) => tops.flatMap((top) => inner(top, fits)).map((el) => outer(el, fits)));
}

const buttonText = (el) => (["button", "submit", "reset"].includes(inputType(el)) ? el.value || { submit: "Submit", reset: "Reset" }[el.type] : null);

/** What boxes that hide their overflow leave of the page where an element is. */
function windowAround(el) {
  const holders = [];
  for (let e = up(el); e; e = up(e)) holders.unshift(e);
  const around = holders.reduce((a, e) => windowOf(e, getComputedStyle(e), a), { all: null, placed: null });
  const { position } = getComputedStyle(el);
  return position === "fixed" ? null : position === "absolute" ? around.placed : around.all;
}

/** A tree of what a selector finds, and of the frames, since what they hold is to be placed. What is hidden has an empty box. */
function selected(selector) {
  const [[way, value]] = Object.entries(selector);
  const state = { list: [], limit: 5000 };
  let found, partial;
  try {
    ({ found, partial = false } = ways[way](value));
  } catch (error) {
    return { nodes: [], truncated: false, error: error.message.replace(/^Failed to execute .*?: |\.$/g, "") };
  }
  memo = new Map();
  const all = [...new Set(found)];
  for (const el of all.slice(0, MOST_SELECTED)) {
    const role = roleOf(el);
    const seen = isDrawnByLabel(el) || (isShown(el) && boxesOf(el).length > 0);
    const at = seen ? list(el, role, -1, state, isInteractive(el, role), windowAround(el)) : -1;
    if (at < 0) state.list.push({ id: idOf(el), parent: -1, role, name: nameOf(el, role), kind: kindOf(el), hint: hintsOf(el), rect: [0, 0, 0, 0] });
  }
  for (const el of everywhere("iframe,frame")) {
    if (all.includes(el) || !isShown(el)) continue;
    const at = list(el, "iframe", -1, state, false, null);
    if (at >= 0) state.list[at].carrier = true;
  }
  memo = null;
  return { nodes: state.list, truncated: all.length > MOST_SELECTED, partial };
}
