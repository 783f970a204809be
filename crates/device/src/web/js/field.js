// Fields: which one has the focus, selecting what it holds, setting the kinds that cannot be typed into, reading back.

/** Input types that take a value in one fixed form: it is set whole, as a date picker or a slider would. */
const SET_WHOLE = new Set(["date", "time", "datetime-local", "month", "week", "color", "range"]);

function isEditable(el) {
  if (!el) return false;
  if (el.localName === "input") return TEXT_TYPES.has(el.type) || SET_WHOLE.has(el.type);
  return el.localName === "textarea" || el.isContentEditable === true;
}

/** The editing host around a node. */
const hostOf = (el) => closest(el, (e) => isEditingHost(e)) ?? el;
const fieldOf = (el) => (el?.isContentEditable && el.localName !== "textarea" && el.localName !== "input" ? hostOf(el) : el);

/** An element of the page's own making that lets nobody look inside: what it holds cannot be read. */
const isOpaque = (el) => !!el && el.localName.includes("-") && !el.shadowRoot && !el.isContentEditable && el === document.activeElement;

/** Boxes that take one character each and hand the focus on: together they are one field. */
function boxesOfOne(el, count) {
  if (el.maxLength !== 1 || count < 2) return null;
  for (let e = up(el); e && e !== document.body; e = up(e)) {
    const boxes = [...e.querySelectorAll("input")].filter((b) => b.maxLength === 1);
    if (boxes.length >= count) return boxes.slice(boxes.indexOf(el));
  }
  return null;
}

/** The content as a person reads it. */
function contentOf(el) {
  if (el.localName === "input" || el.localName === "textarea") return el.value;
  return (el.innerText ?? el.textContent).replace(/\u00a0/g, " ").replace(/\n$/, "");
}

/** The field that has the focus; waits for one, since a click may open it a moment later. */
async function field({ mode, id, wait = 0, again = 0 }) {
  const until = now() + wait;
  let el = focused();
  const aimed = id ? byId(id) : null;
  while (!isEditable(el) && el?.localName !== "select" && now() < until) {
    if (el?.localName === "iframe") break;
    await frame();
    el = focused();
  }
  if (el && (el.localName === "iframe" || el.localName === "frame")) return { frame: frameIndex(el) };
  if (!isEditable(el) && aimed) {
    // The click did not give the focus to the field that was meant: ask for it as the Tab key would.
    const inner = isEditable(aimed) ? aimed : aimed.querySelector?.("input:not([type=hidden]),textarea,[contenteditable]:not([contenteditable=false])");
    if (inner && isEditable(inner)) {
      inner.focus();
      el = focused();
    }
  }
  if (isOpaque(el)) return { kind: "opaque", id: idOf(el), on: labelOf(el), multiline: true };
  if (el?.localName === "select") return { kind: "select", id: idOf(el), on: labelOf(el) };
  if (!isEditable(el)) return { kind: "none", on: el && el !== document.body ? labelOf(el) : null, keys: listensToKeys(el) };
  el = fieldOf(el);
  const rich = el.isContentEditable && el.localName !== "input" && el.localName !== "textarea";
  const held = contentOf(el);
  const info = {
    kind: rich ? "rich" : SET_WHOLE.has(inputType(el)) ? "whole" : "plain",
    id: idOf(el),
    on: labelOf(el),
    type: inputType(el),
    multiline: rich ? el.getAttribute("aria-multiline") !== "false" : el.localName === "textarea",
    empty: held === "",
    limit: el.maxLength > 0 ? el.maxLength : null,
    locked: el.readOnly ? "read-only" : isDisabled(el) ? "disabled" : null,
    collapses: rich && getComputedStyle(el).whiteSpaceCollapse === "collapse",
    // An editor that draws its text itself keeps only a few characters in a hidden field: the whole is reached by a chord.
    proxy: el.localName === "textarea" && el.getBoundingClientRect().height < 8,
  };
  heldBefore.set(el, heldBefore.get(byId(again)) ?? held);
  const box = el.getBoundingClientRect();
  placeBefore.set(el, { x: box.left + box.width / 2, y: box.top + box.height / 2 });
  if (info.locked || info.kind === "whole") return info;
  if (mode === "replace" || mode === "clear") {
    if (!rich && !info.proxy) el.select();
  } else if (mode === "append") {
    if (rich) {
      const range = document.createRange();
      range.selectNodeContents(el);
      range.collapse(false);
      select(range);
    } else {
      try {
        el.setSelectionRange(el.value.length, el.value.length);
      } catch {
        info.end = true; // number and email fields have no caret positions: the End key does it
      }
    }
  }
  return info;
}

/** It has the focus and draws what is typed itself, as terminals and games do. */
const listensToKeys = (el) => !!el && el !== document.body && (el.localName === "canvas" || /^(textbox|searchbox|application|terminal)$/.test(el.getAttribute("role") ?? ""));

let lastKey = null;
addEventListener("keydown", (event) => (lastKey = event), { capture: true, passive: true });

/** The page itself made something of the last key, so that the browser typed nothing: it wants keys. */
function keyTaken() {
  const taken = lastKey?.key.length === 1 && lastKey.defaultPrevented;
  lastKey = null;
  return taken;
}

/** What a field held before the input, and where it was. */
const heldBefore = new WeakMap();
const placeBefore = new WeakMap();

/** The field that stands for one that is gone: of the same id or name, or at the same place. */
function successorOf(el) {
  if (!el) return null;
  const place = placeBefore.get(el);
  const same = (el.id && document.getElementById(el.id)) || (el.name && document.getElementsByName(el.name)[0]) || (place && hitAt(place.x, place.y));
  return same && isEditable(same) ? fieldOf(same) : null;
}

function select(range) {
  const selection = range.startContainer.getRootNode().getSelection?.() ?? getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

/** After the select-all chord: everything in the editor is selected, whatever the page made of the chord. */
function selectAll({ id }) {
  const el = byId(id);
  if (!el) return { gone: true };
  const selection = getSelection();
  const all = document.createRange();
  all.selectNodeContents(el);
  const text = selection.toString().trim();
  if (text !== (el.innerText ?? "").trim() && !(selection.rangeCount && selection.containsNode(el, false))) select(all);
  return {};
}

const loosely = (text) => text.replace(/[\s\u00a0\u200b\ufeff]+/g, " ").trim();
const bare = (text) => text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** No line break of `want` is lost in `held`. */
function keepsLines(held, want, fold) {
  const lines = (text) => text.split("\n").map(fold).filter((line) => line !== "");
  return lines(want).length < 2 || lines(held).join("\n") === lines(want).join("\n");
}

/**
 * What the field holds now, compared with what it should. A password stays here: only the verdict leaves.
 * `how`: "same", "similar" (formatted by the page), "before" (as it was), "empty" or "other".
 */
async function readBack({ id, want, mode, later }) {
  // What the page's own handlers put off until after the input comes first.
  if (!later) await new Promise((done) => setTimeout(done));
  let el = byId(id);
  // A framework may have drawn the field anew: then the focused one stands for it, or the one at its place.
  if (!el?.isConnected) el = isEditable(focused()) && !later ? fieldOf(focused()) : successorOf(el);
  if (!el || !isEditable(el)) return { how: "gone" };
  const boxes = boxesOfOne(el, [...want].length);
  const held = boxes ? boxes.map((b) => b.value).join("") : contentOf(el);
  const before = heldBefore.get(el) ?? heldBefore.get(byId(id)) ?? "";
  const rich = el.isContentEditable && el.localName !== "textarea" && el.localName !== "input";
  const same = (a, b) => a === b || (rich && loosely(a) === loosely(b) && keepsLines(a, b, loosely));
  const goal = mode === "append" ? before + want : want;
  let how = "other";
  if (mode === "typeOnly" ? held.includes(want) && (held !== before || want === "") : same(held, goal)) how = "same";
  else if (held === before) how = "before";
  else if (held === "") how = "empty";
  else if (goal !== "" && bare(held) === bare(goal) && keepsLines(held, goal, bare)) how = "similar";
  const secret = inputType(el) === "password";
  return { how, held: secret ? null : clip(held, 200), length: [...held].length, took: W.touched.has(el), secret, on: labelOf(el), invalid: el.validity ? !el.validity.valid && !el.validity.valueMissing : false };
}

/** Sets a value as the browser's own picker would: through the native setter, with input and change events. */
function setValue({ id, value }) {
  const el = byId(id);
  if (!el?.isConnected) return { gone: true };
  const before = el.value;
  const wanted = inFieldForm(el, value);
  el.focus();
  el.value = wanted;
  if (wanted !== "" && el.value === "") {
    el.value = before;
    return { refused: true, example: EXAMPLES[el.type] ?? "" };
  }
  if (el.value !== before) tell(el);
  const kept = el.value === wanted || (wanted !== "" && Number(el.value) === Number(wanted));
  return { held: el.value, wanted, kept, invalid: !el.validity.valid && !el.validity.valueMissing };
}

const EXAMPLES = {
  date: "2025-12-31", time: "23:59", "datetime-local": "2025-12-31T23:59", month: "2025-12", week: "2025-W52", color: "#ff8800", range: "50",
};

function tell(el) {
  el.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Common ways to write a date or a time, in the one form that the field takes. Day and month are never guessed. */
function inFieldForm(el, text) {
  const t = text.trim();
  const two = (n) => String(n).padStart(2, "0");
  const day = /(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*日?/.exec(t);
  const named = /(\d{1,2})\.?\s+([A-Za-z]{3,})\.?,?\s+(\d{4})|([A-Za-z]{3,})\.?\s+(\d{1,2}),?\s+(\d{4})/.exec(t);
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(t);
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})/.exec(t);
  let date = day && `${day[1]}-${two(day[2])}-${two(day[3])}`;
  if (!date && named) {
    const month = "janfebmaraprmayjunjulaugsepoctnovdec".indexOf((named[2] ?? named[4]).slice(0, 3).toLowerCase()) / 3 + 1;
    if (month >= 1 && Number.isInteger(month)) date = `${named[3] ?? named[6]}-${two(month)}-${two(named[1] ?? named[5])}`;
  }
  if (!date && german) date = `${german[3]}-${two(german[2])}-${two(german[1])}`;
  // With a slash the first number is the month unless it cannot be one, as the pickers of most browsers write it.
  if (!date && american) date = american[1] > 12 ? `${american[3]}-${two(american[2])}-${two(american[1])}` : `${american[3]}-${two(american[1])}-${two(american[2])}`;
  const clockTime = /(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap])?\.?m?/i.exec(t) ?? /(?<!\d)(\d{1,2})()()\s*([ap])\.?m/i.exec(t);
  let time = null;
  if (clockTime) {
    let hour = Number(clockTime[1]);
    const half = clockTime[4]?.toLowerCase();
    if (half === "p" && hour < 12) hour += 12;
    if (half === "a" && hour === 12) hour = 0;
    time = `${two(hour)}:${clockTime[2] || "00"}${clockTime[3] ? `:${clockTime[3]}` : ""}`;
  }
  switch (el.type) {
    case "date":
      return date ?? t;
    case "time":
      return time ?? t;
    case "datetime-local":
      return date && time ? `${date}T${time}` : t.replace(" ", "T");
    case "month":
      return /^\d{4}-\d{2}$/.test(t) ? t : date ? date.slice(0, 7) : t;
    case "color":
      return colourHex(t) ?? t;
    default:
      return t.replace(/%$/, "");
  }
}

function colourHex(text) {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text.toLowerCase();
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  context.fillStyle = "#010203";
  context.fillStyle = text;
  return /^#[0-9a-f]{6}$/.test(context.fillStyle) && context.fillStyle !== "#010203" ? context.fillStyle : null;
}

const folded = (text) => squeeze(text.normalize("NFKC")).toLowerCase();

/** Chooses an option of a native list by what it shows, else by its value. */
function choose({ id, option }) {
  let el = byId(id);
  if (!el?.isConnected) return { gone: true };
  if (el.localName === "option") el = el.closest("select") ?? el;
  if (el.localName === "label" && el.control) el = el.control;
  if (el.localName !== "select") {
    const inner = el.querySelector?.("select");
    if (!inner) return { foreign: true, on: labelOf(el), role: roleOf(el) };
    el = inner;
  }
  if (isDisabled(el)) return { disabled: true, on: labelOf(el) };
  const all = [...el.options];
  const shown = (o) => folded(o.label || o.text);
  const wanted = folded(option);
  let found = all.filter((o) => shown(o) === wanted);
  if (!found.length) found = all.filter((o) => folded(o.value) === wanted);
  if (!found.length && wanted) found = all.filter((o) => shown(o).includes(wanted));
  const usable = (o) => !o.disabled && !(o.parentElement.localName === "optgroup" && o.parentElement.disabled);
  const list = all.filter((o) => o.label || o.text).slice(0, 40).map((o) => squeeze(o.label || o.text) + (usable(o) ? "" : " (disabled)"));
  const on = labelOf(el);
  if (!found.length) return { missing: true, options: list, more: Math.max(0, all.length - 40), on };
  if (new Set(found.map(shown)).size > 1) return { unclear: found.slice(0, 10).map((o) => squeeze(o.label || o.text)), on };
  const pick = found.find(usable);
  if (!pick) return { unusable: squeeze(found[0].label || found[0].text), options: list, on };
  arm({ el });
  const name = squeeze(pick.label || pick.text);
  const before = [...el.selectedOptions].map((o) => squeeze(o.label || o.text)).join(", ");
  const already = pick.selected && (!el.multiple || el.selectedOptions.length === 1);
  el.focus();
  if (!already) {
    pick.selected = true;
    tell(el);
  }
  return { chosen: name, before, already, id: idOf(el), on, ...selectState({ id: idOf(el), option: name }) };
}

/** Whether the option is the chosen one now. A list that was drawn anew is found by its id or name. */
function selectState({ id, option }) {
  let el = byId(id);
  if (el && !el.isConnected) {
    const same = (el.id && document.getElementById(el.id)) || (el.name && document.getElementsByName(el.name)[0]);
    if (same?.localName === "select") el = same;
  }
  if (!el?.isConnected) return { holds: null };
  const holds = [...el.selectedOptions].map((o) => squeeze(o.label || o.text));
  return { holds: holds.join(", "), kept: holds.some((t) => folded(t) === folded(option)) };
}

/** What kind of thing takes files at this element. */
function uploadTarget({ id }) {
  let el = byId(id);
  if (!el?.isConnected) return { gone: true };
  if (el.localName === "label" && el.control) el = el.control;
  if (inputType(el) !== "file") el = el.querySelector?.("input[type=file]") ?? el;
  return { file: inputType(el) === "file", multiple: !!el.multiple, id: idOf(el), on: labelOf(el), disabled: isDisabled(el) };
}

const uploaded = ({ id }) => ({ files: [...(byId(id)?.files ?? [])].map((f) => f.name) });

/** The number of the iframe that has the focus, or null. */
function focusFrame() {
  const el = focused();
  arm({});
  return el && (el.localName === "iframe" || el.localName === "frame") ? frameIndex(el) : null;
}

/** Gives an element the focus as the Tab key would; `true` when it has it. */
function focusOn({ id }) {
  const el = byId(id);
  if (!el?.isConnected) return false;
  if (isElement(el) && focused() !== el) el.focus({ preventScroll: true });
  return focused() === el;
}
