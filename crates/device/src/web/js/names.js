// Accessible names by the W3C rules (Accessible Name and Description Computation 1.2), as far as sighted people are concerned.

const FROM_CONTENT = new Set((
  "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader " +
  "switch tab tooltip treeitem caption"
).split(" "));
const BLOCKS = /^(block|flex|grid|table|list-item|flow-root|table-row|table-cell|table-caption)/;
/** Icon fonts draw pictures with code points that have no meaning as text. */
const ICONS = /[\ue000-\uf8ff\u{f0000}-\u{10fffd}]/gu;

const tidy = (text) => squeeze(text.replace(ICONS, ""));

function byIds(el, attribute) {
  const root = el.getRootNode();
  return (el.getAttribute(attribute) ?? "").split(/\s+/).filter(Boolean).map((id) => root.getElementById?.(id)).filter(Boolean);
}

function nameOf(el, role) {
  return clip(tidy(compute(el, role ?? roleOf(el), { seen: new Set(), referenced: false, nested: false, budget: { left: 400 } })));
}

/** `referenced`: reached through aria-labelledby or a label, so hidden text counts. `nested`: part of another element's name. */
function compute(el, role, at) {
  const plain = memo && at.nested && !at.referenced && !at.labelled;
  if (plain) {
    const known = memo.get(el);
    if (known !== undefined) return known;
  }
  const name = computed(el, role, at);
  if (plain && at.budget.left > 0) memo.set(el, name);
  return name;
}

/** While a whole tree is listed: what each element adds to the name of one around it, since a row says its cells again. */
let memo = null;

function computed(el, role, at) {
  if (at.seen.has(el) || at.budget.left-- <= 0) return "";
  at.seen.add(el);
  if (!at.referenced && (el.getAttribute("aria-hidden") === "true" || (at.nested && !isShown(el) && el.localName !== "option"))) return "";
  if (!at.labelled) {
    const refs = byIds(el, "aria-labelledby");
    if (refs.length) {
      const text = refs
        .map((ref) => compute(ref, roleOf(ref), { ...at, seen: new Set(ref === el ? [] : [el]), referenced: true, labelled: true, nested: ref !== el }))
        .filter(Boolean)
        .join(" ");
      if (tidy(text)) return text;
    }
  }
  if (at.nested) {
    const inside = embedded(el, role);
    if (inside !== null) return inside;
  }
  const label = el.getAttribute("aria-label");
  if (label && label.trim()) return label;
  const native = nativeName(el, at);
  if (tidy(native)) return native;
  if (FROM_CONTENT.has(role) || at.nested || at.referenced) {
    const text = content(el, at);
    if (tidy(text)) return text;
  }
  if (el.title?.trim?.()) return el.title;
  const hint = el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder");
  if (hint && !at.nested) return hint;
  return "";
}

/** A control inside a label adds its value to the name. */
function embedded(el, role) {
  if (el.localName === "select") return [...el.selectedOptions].map((o) => o.text).join(" ");
  if (role === "textbox" || role === "searchbox") return inputType(el) === "password" ? "" : el.value ?? el.innerText ?? "";
  if (role === "slider" || role === "spinbutton") return el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow") ?? el.value ?? "";
  if (inputType(el) === "checkbox" || inputType(el) === "radio") return "";
  return null;
}

function nativeName(el, at) {
  const inner = (node) => (node ? compute(node, roleOf(node), { ...at, nested: true }) : "");
  const child = (tag) => [...el.children].find((c) => c.localName === tag);
  const labels = el.labels;
  if (labels?.length && inputType(el) !== "hidden") {
    const text = [...labels].map((l) => compute(l, "generic", { ...at, seen: new Set([el]), referenced: isShown(l) ? at.referenced : true, nested: true })).filter(Boolean).join(" ");
    if (tidy(text)) return text;
  }
  switch (el.localName) {
    case "input":
      if (["button", "submit", "reset"].includes(el.type)) return el.value || { submit: "Submit", reset: "Reset" }[el.type] || "";
      if (el.type === "image") return el.alt || el.value || el.title || "Submit";
      if (el.type === "file") return el.title || "Choose file";
      return "";
    case "img":
    case "area":
      return el.alt ?? "";
    case "fieldset":
      return inner(child("legend"));
    case "figure":
      return inner(child("figcaption"));
    case "table":
      return inner(child("caption"));
    case "svg":
      return child("title")?.textContent ?? "";
    case "details":
      return inner(child("summary"));
    case "optgroup":
      return el.label;
    case "option":
      return el.label || el.text;
    default:
      return "";
  }
}

const quoted = (value) => (/^"(.*)"/.exec(value) ?? ["", ""])[1].replace(/\\(.)/g, "$1");

function content(el, at) {
  let text = "";
  if (at.budget.left > 0) text += pseudo(el, "::before");
  for (const node of childrenOf(el)) {
    if (node.nodeType === 3) text += node.data;
    else if (isElement(node) && !["script", "style", "noscript", "template"].includes(node.localName)) {
      const part = compute(node, roleOf(node), { ...at, nested: true });
      if (node.localName === "br") text += " ";
      else if (part) text += BLOCKS.test(getComputedStyle(node).display) ? ` ${part} ` : part;
    }
    if (text.length > 1000) break;
  }
  if (at.budget.left > 0) text += pseudo(el, "::after");
  return text;
}

function pseudo(el, which) {
  const value = getComputedStyle(el, which).content;
  return value && value !== "none" && value !== "normal" ? quoted(value) : "";
}

function descriptionOf(el, name) {
  const refs = byIds(el, "aria-describedby");
  const said = refs.map((ref) => ref.textContent).join(" ") || el.getAttribute("aria-description") || el.title || "";
  const text = clip(squeeze(said));
  return text === name ? "" : text;
}

/** `button "Save"`: how an element is named to people. */
function labelOf(el) {
  if (!el) return "nothing";
  if (!isElement(el)) return `text "${clip(squeeze(el.data ?? ""), 60)}"`;
  if (el === document.documentElement || el === document.body) return "the page";
  const role = roleOf(el);
  let name = nameOf(el, role);
  if (!name && role === "generic" && !(el.id && el.querySelector(CONTROLS))) name = clip(tidy(el.innerText ?? el.textContent ?? ""), 60);
  if (name) return `${role} "${clip(name, 60)}"`;
  if (el.id) return `${role === "generic" ? el.localName : role} #${el.id}`;
  const kind = el.classList?.[0];
  return kind ? `${role === "generic" ? el.localName : role} .${kind}` : role === "generic" ? el.localName : role;
}

/** The label of what a person would say was clicked: the control, or else the nearest element that has a name. */
const labelAt = (hit) => labelOf(controlOf(hit) ?? hit);
