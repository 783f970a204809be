// What an element is: role, states, and whether a person could operate it.

const INPUT_ROLES = {
  button: "button", submit: "button", reset: "button", image: "button", file: "button", color: "button",
  checkbox: "checkbox", radio: "radio", range: "slider", number: "spinbutton", search: "searchbox",
};
const TAG_ROLES = {
  article: "article", aside: "complementary", blockquote: "blockquote", button: "button", canvas: "img", caption: "caption",
  datalist: "listbox", dd: "definition", details: "group", dialog: "dialog", dt: "term", fieldset: "group", figure: "figure",
  h1: "heading", h2: "heading", h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator",
  iframe: "iframe", frame: "iframe", li: "listitem", main: "main", menu: "list", meter: "meter", nav: "navigation", ol: "list",
  optgroup: "group", option: "option", output: "status", p: "paragraph", progress: "progressbar", search: "search",
  summary: "button", table: "table", tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", tr: "row",
  ul: "list", video: "video", audio: "audio",
};
const KNOWN_ROLES = new Set((
  "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary " +
  "contentinfo definition dialog directory document feed figure form grid gridcell group heading img image link list listbox listitem log " +
  "main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation note option paragraph presentation none " +
  "progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status switch " +
  "tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem generic"
).split(" "));
const WIDGETS = new Set((
  "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio searchbox slider " +
  "spinbutton switch tab textbox treeitem"
).split(" "));
const TEXT_TYPES = new Set(["text", "search", "email", "tel", "url", "password", "number", ""]);
const SECTIONING = "article,aside,main,nav,section";

const inputType = (el) => (el.localName === "input" ? el.type : "");

function roleOf(el) {
  const explicit = el.getAttribute("role");
  if (explicit) {
    for (const token of explicit.toLowerCase().split(/\s+/)) {
      if (!KNOWN_ROLES.has(token)) continue;
      if (token === "none" || token === "presentation") {
        // A focusable element cannot be declared away.
        if (el.tabIndex >= 0 || isNative(el)) break;
        return "generic";
      }
      return token === "image" ? "img" : token === "directory" ? "list" : token;
    }
  }
  return nativeRole(el);
}

function nativeRole(el) {
  const tag = el.localName;
  switch (tag) {
    case "a":
    case "area":
      return el.hasAttribute("href") ? "link" : "generic";
    case "input": {
      const type = el.type;
      if (type === "hidden") return "generic";
      if (el.list && TEXT_TYPES.has(type) && type !== "password" && type !== "number") return "combobox";
      return INPUT_ROLES[type] ?? "textbox";
    }
    case "select":
      return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "img":
      return el.getAttribute("alt") === "" && !el.title && !el.hasAttribute("aria-label") ? "generic" : "img";
    case "svg":
      return el.hasAttribute("aria-label") || [...el.children].some((c) => c.localName === "title") ? "img" : "generic";
    case "td": {
      const table = closest(up(el), (e) => e.localName === "table");
      const role = table?.getAttribute("role");
      return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
    }
    case "th":
      return el.scope === "row" || (!el.scope && el.closest("tbody") && el.cellIndex === 0 && el.parentElement.children.length > 1 && el.parentElement.querySelector("td")) ? "rowheader" : "columnheader";
    case "header":
      return el.closest(SECTIONING) ? "generic" : "banner";
    case "footer":
      return el.closest(SECTIONING) ? "generic" : "contentinfo";
    case "section":
      return el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") || el.title ? "region" : "generic";
    case "form":
      return el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") || el.title ? "form" : "generic";
    case "summary":
      return el.parentElement?.localName === "details" ? "button" : "generic";
    default:
      if (TAG_ROLES[tag]) return TAG_ROLES[tag];
      if (isDrawnSwitch(el)) return "switch";
      return isEditingHost(el) ? "textbox" : "generic";
  }
}

const classWords = (el) => (el.getAttribute("class") ?? "").toLowerCase().split(/[\s_-]+/);
const ON = ["on", "active", "checked", "selected"];

/** A switch that the page draws without saying so: a small box without text, wider than high, whose class calls it one. */
function isDrawnSwitch(el) {
  const words = classWords(el);
  if (!words.includes("switch") && !words.includes("toggle")) return false;
  if (tidy(el.textContent) !== "" || el.querySelector("input:not([type=hidden]),button,a,[role]") || el.closest("label,button,a,[role=switch]")) return false;
  const box = el.getBoundingClientRect();
  return box.width >= 20 && box.width <= 100 && box.height >= 10 && box.height <= 50 && box.width > 1.2 * box.height && getComputedStyle(el).cursor === "pointer";
}

/** The box to tick that the page hides behind a drawn switch knows its state; else the classes say it, or those of what holds it. */
function isDrawnOn(el) {
  const holder = el.parentElement;
  const boxes = holder ? [...holder.children].filter((c) => inputType(c) === "checkbox") : [];
  if (boxes.length === 1) return boxes[0].checked;
  const says = (e) => classWords(e).some((word) => ON.includes(word));
  return says(el) || (holder !== null && classWords(holder).includes("switch") && says(holder));
}

const isEditingHost = (el) => el.isContentEditable === true && !el.parentElement?.isContentEditable;

function isNative(el) {
  switch (el.localName) {
    case "a":
    case "area":
      return el.hasAttribute("href");
    case "input":
      return el.type !== "hidden";
    case "button":
    case "select":
    case "textarea":
      return true;
    case "summary":
      return el.parentElement?.localName === "details";
    case "video":
    case "audio":
      return el.controls;
    default:
      return isEditingHost(el);
  }
}

/** A native control, a widget by its role, or a click handler that the page declares. */
function isInteractive(el, role, style) {
  if (isNative(el)) return true;
  if (el.localName === "label" && el.control) return false;
  if (WIDGETS.has(role) && !(role === "gridcell" && !el.hasAttribute("tabindex"))) return !(el.localName === "option");
  if (el.hasAttribute("onclick") || el.hasAttribute("onmousedown") || el.hasAttribute("ng-click") || el.hasAttribute("@click")) return true;
  if (el.hasAttribute("tabindex") && el.tabIndex >= 0 && el.localName !== "iframe" && role !== "dialog" && role !== "region" && role !== "tabpanel") return true;
  // A pointer cursor that starts here says "click me"; one that is inherited was said by an ancestor already.
  if ((style ?? getComputedStyle(el)).cursor !== "pointer") return false;
  const parent = up(el);
  return !parent || getComputedStyle(parent).cursor !== "pointer";
}

/** The control that a click on `node` operates: itself or the nearest ancestor that is one. */
const controlOf = (node) => closest(node, (el) => isInteractive(el, roleOf(el)) || (el.localName === "label" && el.control));

const toggle = (value) => (value === "true" ? "on" : value === "false" ? "off" : value === "mixed" ? "mixed" : null);

function isDisabled(el) {
  if (el.matches?.(":disabled")) return true;
  return !!closest(el, (e) => e.getAttribute("aria-disabled") === "true" || e.inert === true);
}

function statesOf(el, role) {
  const s = {};
  const type = inputType(el);
  // A box that nobody sees may be left behind by what is drawn for it, which the page then says.
  const told = type === "checkbox" && el.getBoundingClientRect().width < 1 ? toggle(el.getAttribute("aria-checked")) : null;
  if (told) s.checked = told;
  else if (type === "checkbox" || type === "radio") s.checked = el.indeterminate ? "mixed" : el.checked ? "on" : "off";
  else if (["checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "option", "treeitem"].includes(role)) {
    const value = toggle(el.getAttribute("aria-checked"));
    if (value) s.checked = value;
    else if (role === "switch" && el.getAttribute("role") === null) s.checked = isDrawnOn(el) ? "on" : "off";
  }
  const pressed = toggle(el.getAttribute("aria-pressed"));
  if (pressed) s.pressed = pressed;
  const selected = el.getAttribute("aria-selected");
  if (el.localName === "option") s.selected = el.selected;
  else if (selected === "true" || selected === "false") s.selected = selected === "true";
  const expanded = el.getAttribute("aria-expanded");
  if (el.localName === "summary" && el.parentElement?.localName === "details") s.expanded = el.parentElement.open;
  else if (expanded === "true" || expanded === "false") s.expanded = expanded === "true";
  if (isDisabled(el)) s.disabled = true;
  if (focused() === el && document.activeElement !== document.body) s.focused = true;
  if (el.readOnly === true || el.getAttribute("aria-readonly") === "true") s.readonly = true;
  if (el.required === true || el.getAttribute("aria-required") === "true") s.required = true;
  const invalid = el.getAttribute("aria-invalid");
  if (invalid && invalid !== "false") s.invalid = true;
  if (type === "password") s.password = true;
  if (el.localName === "textarea" || (isEditingHost(el) && el.getAttribute("aria-multiline") !== "false") || el.getAttribute("aria-multiline") === "true") s.multiline = true;
  return s;
}

/** What a field, slider or select holds. Never a password. */
function valueOf(el, role) {
  const tag = el.localName;
  if (tag === "input") {
    const type = el.type;
    if (["password", "hidden", "checkbox", "radio", "button", "submit", "reset", "image"].includes(type)) return null;
    if (type === "file") return [...el.files].map((f) => f.name).join(", ");
    return el.value;
  }
  if (tag === "textarea") return el.value;
  if (tag === "select") return [...el.selectedOptions].map((o) => squeeze(o.label || o.text)).join(", ");
  if (tag === "progress" || tag === "meter") return String(el.value);
  const said = el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow");
  if (said !== null && ["slider", "spinbutton", "progressbar", "meter", "scrollbar", "separator"].includes(role)) return said;
  if (["textbox", "searchbox", "combobox"].includes(role) && el.isContentEditable) return el.innerText.replace(/\n$/, "");
  return null;
}
