"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byId = (id) => document.getElementById(id);
  const SIGN = { good: "✓", doubt: "!", bad: "✗", plain: "·" };
  const PARTS = ["observe", "plan", "locate", "act", "settle", "pause"];

  // Everything from the run reaches the page through text nodes and attributes of ours, never as HTML.
  const el = (tag, props, ...kids) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(props || {})) {
      if (value === undefined || value === null || value === false) continue;
      if (name === "on") node.addEventListener("click", value);
      else if (name === "style") Object.entries(value).forEach(([k, v]) => node.style.setProperty(k, v));
      else node.setAttribute(name, value === true ? "" : value);
    }
    node.append(...kids.flat(9).filter((kid) => kid !== undefined && kid !== null && kid !== false && kid !== ""));
    return node;
  };
  const into = (node, ...kids) => { node.append(...el("div", {}, kids).childNodes); };
  const text = (value, extra) => el("span", { class: "text" + (extra ? " " + extra : "") }, value);
  const badge = (tone, words) => el("span", { class: "badge " + tone }, words);
  const count = (n) => n.toLocaleString("en");
  const dollars = (millionths) => "$" + (millionths / 1e6).toFixed(millionths < 1e6 ? 4 : 2);
  const time = (ms) => {
    if (ms < 1000) return ms + " ms";
    if (ms < 60000) return (ms / 1000).toFixed(1) + " s";
    return Math.floor(ms / 60000) + " min " + Math.round((ms % 60000) / 1000) + " s";
  };
  const some = (list) => list && list.length > 0;
  // JSON as people write it: short lists and objects on one line.
  const json = (value, indent = "") => {
    if (typeof value === "number") return String(Math.round(value * 1000) / 1000);
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const flat = Array.isArray(value) ? "[" + value.map((v) => json(v)).join(", ") + "]" : "{ " + Object.entries(value).map(([k, v]) => JSON.stringify(k) + ": " + json(v)).join(", ") + " }";
    if (flat.length + indent.length <= 72 && !flat.includes("\n")) return flat;
    const deeper = indent + "  ";
    const [open, close] = Array.isArray(value) ? "[]" : "{}";
    const inside = Array.isArray(value) ? value.map((v) => deeper + json(v, deeper)) : Object.entries(value).map(([k, v]) => deeper + JSON.stringify(k) + ": " + json(v, deeper));
    return open + "\n" + inside.join(",\n") + "\n" + indent + close;
  };
  const clipped = (value, most) => (value && [...value].length > most ? [...value].slice(0, most - 20).join("") + " …" : value);
  const firstLine = (value) => (value || "").trim().split("\n")[0];

  const run = data.run;

  // ---- what can be selected: each plan and each step, in order ----
  const items = [];
  data.rounds.forEach((round, r) => {
    (round.plans || []).forEach((plan) => items.push({ kind: "plan", round, r, plan }));
    (round.steps || []).forEach((step) => items.push({ kind: "step", round, r, step }));
  });
  let number = 0;
  for (const item of items) {
    item.parts = (item.plan || item.step).parts;
    item.total = PARTS.reduce((sum, part) => sum + (item.parts[part] || 0), 0);
    if (item.step) item.number = ++number;
    Object.assign(item, item.plan ? planFace(item.plan) : stepFace(item.step));
  }
  const steps = number;

  // A planner without a model writes down what will have been done: before that, only what it plans is true.
  function planned(plan) { return (plan.actions || []).map((action) => action.summary).join(", "); }
  function planFace(plan) {
    const error = (plan.calls || []).map((call) => call.error).filter(Boolean).pop();
    if (plan.unavailable) return { tone: "bad", name: "No reply from the model", sub: plan.unavailable };
    if (plan.misread) return { tone: error ? "bad" : "doubt", name: error ? "No reply from the model" : "Reply not readable", sub: plan.misread };
    if (plan.abstained) return { tone: "doubt", name: "Abstained", sub: plan.abstained };
    if (plan.complete) {
      const [success, message] = plan.complete;
      return { tone: success ? "good" : "bad", name: success ? "Completes" : "Gives up", sub: message || firstLine(plan.log) };
    }
    if (plan.unfinished) return { tone: "doubt", name: "Planning, unfinished", sub: "the record ends here" };
    if (error && !plan.planner) return { tone: "bad", name: "Model error", sub: error.message };
    return { tone: "plain", name: "Plan", sub: (some(plan.calls) && (firstLine(plan.log) || firstLine(plan.thought))) || planned(plan) || firstLine(plan.thought) };
  }
  function stepFace(step) {
    let sub = step.state === "finished" ? "" : step.state;
    if (step.state === "running" || step.state === "pending") sub = "unfinished: " + (run.end.kind === "unfinished" ? "the record ends here" : "the run ended here");
    if (step.detail) sub = step.detail;
    if (step.effect) sub = step.effect.verdict + (step.effect.by ? " by " + step.effect.by : "") + ": " + step.effect.because;
    if (step.error) sub = step.error.message;
    return { tone: step.tone, name: step.title, sub };
  }

  // ---- header ----
  function head() {
    const figure = (name, value, more) => el("div", {}, el("dt", {}, name), el("dd", {}, value, more && el("small", {}, more)));
    const { usage } = run.figures;
    const approx = usage.estimated ? "≈ " : "";
    const meta = [run.end.exit_code !== undefined && "exit code " + run.end.exit_code, run.device, run.model, run.planner && "planner " + run.planner, (run.started || "").replace("T", " ").replace("+00:00", " UTC"), run.version && "handeye " + run.version, "run " + run.id, ...(run.remarks || [])];
    const notes = [...(run.warnings || []), ...(run.faults || []), ...(run.left_out || [])];
    into(byId("head"),
      el("div", { class: "what" },
        el("h1", {}, text(clipped(run.goal || run.id, 320))),
        el("div", { class: "end" },
          badge(run.end.tone, run.end.kind),
          run.end.message && text(clipped(run.end.message, 600))),
        run.end.hint && el("p", { class: "muted" }, text(run.end.hint)),
        some(run.end.candidates) && el("p", { class: "muted" }, text("Candidates: " + run.end.candidates.join("; ")))),
      el("dl", { class: "figures" },
        figure("Time", time(run.figures.millis)),
        figure("Rounds", count(run.figures.rounds)),
        figure("Actions", count(run.figures.actions)),
        run.figures.calls > 0 && figure("Model calls", count(run.figures.calls)),
        run.figures.calls > 0 && figure("Tokens", approx + count(usage.input + usage.output), count(usage.input) + " in, " + count(usage.output) + " out"),
        run.figures.microdollars && figure("Cost", dollars(run.figures.microdollars))),
      some(notes) && el("ul", { class: "notes", "aria-label": "Notes" }, notes.map((note) => el("li", {}, note))),
      el("div", { class: "about" },
        el("p", { class: "meta" }, meta.filter(Boolean).map((m) => el("span", {}, m))),
        clipped(run.goal, 320) !== run.goal && lazy("The whole goal", () => el("pre", { tabindex: 0 }, run.goal)),
        clipped(run.end.message, 600) !== run.end.message && lazy("The whole message", () => el("pre", { tabindex: 0 }, run.end.message)),
        run.settings !== undefined && lazy("Settings", () => el("pre", { tabindex: 0 }, data.texts[run.settings]))));
  }

  function strip() {
    const whole = Math.max(1, items.reduce((sum, item) => sum + item.total, 0));
    items.forEach((item, index) => {
      const parts = PARTS.filter((part) => item.parts[part]).map((part) => el("i", { class: part, style: { width: (100 * item.parts[part]) / item.total + "%" } }));
      item.bar = el("div", { title: item.name + ": " + time(item.total), style: { flex: (100 * item.total) / whole + " 1 0" }, on: () => select(index) }, parts);
      byId("strip").append(item.bar);
    });
  }

  // ---- timeline ----
  function timeline() {
    const nav = byId("timeline");
    data.rounds.forEach((round, r) => {
      const mine = items.filter((item) => item.r === r);
      const total = mine.reduce((sum, item) => sum + item.total, 0);
      nav.append(el("h2", {}, round.number ? "Round " + round.number : "Before round 1", el("span", { class: "num" }, time(total))));
      nav.append(el("ol", {}, mine.map((item) => {
        const sign = item.plan && item.tone === "plain" ? "◦" : SIGN[item.tone];
        item.button = el("button", { type: "button", class: item.tone, title: item.name, on: () => select(items.indexOf(item)) },
          el("span", { class: "sign", "aria-hidden": "true" }, sign),
          el("span", { class: "name" }, item.name),
          el("span", { class: "time" }, time(item.total)),
          item.sub && el("span", { class: "sub" + (item.step ? " tone-" + item.tone : "") }, item.sub));
        return el("li", {}, item.button);
      })));
    });
    nav.append(el("p", { class: "last" }, badge(run.end.tone, run.end.kind)));
  }

  // ---- frames ----
  const address = (id) => {
    const holder = byId("frame-" + id);
    return holder && "data:" + data.frames[id].format + ";base64," + holder.textContent;
  };
  function frame(id, alt, marks, zoomable) {
    const info = data.frames[id];
    const ratio = info.width + " / " + info.height;
    // A tall frame of a phone is not shown taller than the window.
    const width = "min(100%, calc(78vh * " + (info.width / info.height).toFixed(4) + "))";
    const source = address(id);
    if (!source) {
      const why = info.state === "left-out" ? "Left out of this page to keep it small." : "The record does not hold this frame.";
      return el("div", { class: "frame absent", style: { "aspect-ratio": ratio, width } },
        el("p", {}, why, info.state === "left-out" && el("br"), info.state === "left-out" && el("a", { href: info.path }, "Open it from the run's folder")));
    }
    const inside = [el("img", { src: source, width: info.width, height: info.height, alt, decoding: "sync" }), some(marks) && overlay(info, marks)];
    if (!zoomable) return el("div", { class: "frame" }, inside);
    return el("button", { type: "button", class: "frame", style: { width }, "aria-label": "Enlarge: " + alt, on: () => zoom(id, alt, marks) }, inside);
  }
  function overlay(info, marks) {
    const x = (value) => (100 * value * info.scale) / info.width + "%";
    const y = (value) => (100 * value * info.scale) / info.height + "%";
    const layer = el("div", { class: "marks", "aria-hidden": "true" });
    for (const mark of marks) {
      const [left, top, width, height] = mark.rect;
      const [px, py] = mark.point;
      layer.append(
        el("div", { style: { left: x(left), top: y(top), width: x(width), height: y(height) } }, marks.length > 1 && el("b", {}, mark.name)),
        el("span", { style: { left: x(px), top: y(py) } }));
    }
    if (marks.length === 2) {
      const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
      const [a, b] = marks.map((mark) => mark.point);
      Object.entries({ x1: x(a[0]), y1: y(a[1]), x2: x(b[0]), y2: y(b[1]) }).forEach(([k, v]) => line.setAttribute(k, v));
      svg.append(line);
      layer.append(svg);
    }
    return layer;
  }
  function figure(name, id, alt, marks) {
    if (id === undefined) return undefined;
    const info = data.frames[id];
    const size = info.width + " × " + info.height + (info.scale === 1 ? "" : " at " + info.scale + "×");
    return el("figure", {}, el("figcaption", {}, el("b", {}, name), el("span", {}, size)), frame(id, alt, marks, true));
  }
  function zoom(id, alt, marks) {
    const box = byId("zoom");
    const info = data.frames[id];
    const close = el("button", { type: "button", on: () => box.close() }, "Close ", el("kbd", {}, "Esc"));
    const picture = frame(id, alt, marks, false);
    picture.style.width = "min(" + info.width + "px, 96vw)";
    box.replaceChildren(el("div", { class: "bar2" }, el("span", { class: "text" }, alt), close), picture);
    box.showModal();
  }

  // ---- details of one item ----
  const card = (name, small, ...kids) => kids.some(Boolean) && el("section", { class: "card" }, el("h3", {}, name, small && el("small", {}, small)), kids);
  const rows = (...pairs) => {
    const filled = pairs.filter(([, value]) => value !== undefined && value !== "" && value !== null && value !== false);
    return some(filled) && el("dl", {}, filled.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
  };
  const list = (values) => el("ul", { class: "list" }, values.map((value) => el("li", {}, value)));
  function lazy(summary, build, open) {
    const node = el("details", { open }, el("summary", {}, summary));
    const fill = () => { if (node.open && node.childElementCount === 1) node.append(el("div", {}, build())); };
    node.addEventListener("toggle", fill);
    fill();
    return node;
  }

  function timeCard(item) {
    const parts = PARTS.filter((part) => item.parts[part]);
    if (!parts.length) return undefined;
    return card("Time", time(item.total),
      el("div", { class: "bar", "aria-hidden": "true" }, parts.map((part) => el("i", { class: part, style: { width: (100 * item.parts[part]) / item.total + "%" } }))),
      el("p", { class: "legend" }, parts.map((part) => el("span", {}, el("i", { class: part }), part + " " + time(item.parts[part])))));
  }
  // `told` is what the head of the view says already.
  function planCard(plan, withActions, told) {
    const untold = (value) => value !== told && value;
    const complete = plan.complete && (plan.complete[0] ? "success" : "failure") + (untold(plan.complete[1]) ? ": " + plan.complete[1] : "");
    return card("Plan", plan.planner,
      rows(
        ["Thought", untold(plan.thought)], ["Log", untold(plan.log)],
        ["Actions", withActions && some(plan.actions) ? list(plan.actions.map((action) => action.summary)) : undefined],
        ["Completes", complete], ["Abstained", untold(plan.abstained)], ["Not readable", untold(plan.misread)], ["No reply", untold(plan.unavailable)],
        ["Sub-goals", some(plan.sub_goals) ? list(plan.sub_goals.map((goal) => goal.index + ". " + goal.text + " (" + goal.state + ")")) : undefined],
        ["Memory", some(plan.memory) ? list(plan.memory) : undefined],
        ["Repairs", some(plan.repairs) ? list(plan.repairs) : undefined]),
      withActions && some(plan.actions) && lazy("Actions as the planner gave them", () => el("pre", { tabindex: 0 }, json(plan.actions.map((action) => action.data)))));
  }
  function callCard(call, open) {
    const usage = call.usage;
    const tokens = usage && (usage.estimated ? "≈ " : "") + count(usage.input) + " in, " + count(usage.output) + " out";
    const more = usage && [usage.cached && count(usage.cached) + " cached", usage.cache_written && count(usage.cache_written) + " written to the cache", usage.reasoning && count(usage.reasoning) + " reasoning"].filter(Boolean).join(", ");
    const name = call.slot === "default" ? "Model call" : "Model call, " + call.slot;
    return el("section", { class: "card" },
      el("h3", {}, name, el("small", {}, [call.took === undefined ? "no answer" : time(call.took), tokens].filter(Boolean).join(" · "))),
      rows(
        ["Error", call.error && call.error.message], ["Hint", call.error && call.error.hint],
        ["Model", call.model], ["Request id", call.request_id], ["Tokens", more && tokens + " (" + more + ")"],
        ["Cost", call.microdollars !== undefined && dollars(call.microdollars)],
        ["Stopped", call.finish === "stop" ? "" : call.finish],
        ["Options", [call.temperature !== undefined && "temperature " + call.temperature, call.max_tokens !== undefined && "at most " + count(call.max_tokens) + " tokens"].filter(Boolean).join(", ")],
        ["Retries", some(call.failed_attempts) ? list(call.failed_attempts) : undefined]),
      call.reply !== undefined && lazy(call.from_reasoning ? "Reply, taken from the reasoning field" : "Reply", () => el("pre", { tabindex: 0 }, data.texts[call.reply] || "(empty)"), open),
      call.reasoning !== undefined && lazy("Reasoning", () => el("pre", { tabindex: 0 }, data.texts[call.reasoning])),
      lazy(el("span", {}, "Request ", el("span", { class: "muted" }, call.messages.length + (call.messages.length === 1 ? " message" : " messages"))), () => request(call)));
  }
  function request(call) {
    const part = (value, role) => {
      if (value.text !== undefined) return el("pre", { tabindex: 0 }, data.texts[value.text]);
      const { frame: id, width, height } = value.image;
      return [frame(id, "Picture sent to the model", [], true), el("p", { class: "muted" }, "sent at " + width + " × " + height)];
    };
    return [
      call.messages.map((message) => el("div", { class: "message" }, el("p", { class: "role" }, message.role), message.parts.map((value) => part(value, message.role)))),
      call.body && el("p", { class: "message" }, el("a", { href: call.body }, "The body as it was sent"), el("span", { class: "muted" }, " (in the run's folder)")),
    ];
  }
  function effectCard(step) {
    const { effect, first_effect: first, error, settled } = step;
    if (!error && !settled && !(effect && (effect.on || effect.by))) return undefined;
    return card("Effect", step.state === "finished" ? "" : step.state,
      rows(
        ["On", effect && effect.on], ["Covered by", effect && effect.by],
        ["At first", first && first.verdict + ": " + first.because],
        ["Error", error && error.message], ["Hint", error && error.hint],
        ["Detail", !effect && !error ? "" : effect && (step.detail || "").includes(effect.because) ? "" : step.detail],
        ["Quiet", settled && "after " + time(settled.took) + ", when " + settled.by],
        ["Busy", settled && settled.busy],
        ["Changed", settled && some(settled.changes) ? settled.changes.join(", ") : settled && "nothing"]));
  }
  function receiptCard(step, receipt) {
    const chosen = receipt.chosen;
    const cell = (tried) => some(tried.candidates)
      ? tried.candidates.map(([name, score]) => el("div", { class: "score", style: { "--part": 100 * score + "%" } }, el("span", {}, name), el("span", { class: "num" }, score.toFixed(2))))
      : el("span", { class: "muted" }, "none");
    const round = (values) => values.map((v) => Math.round(v)).join(", ");
    return card("Target", chosen ? "found by " + chosen.found_by : "not found",
      el("p", { class: "text" }, receipt.target),
      some(receipt.rungs) && el("table", { class: "receipt" },
        el("thead", {}, el("tr", {}, ["Way", "Candidates", "Why"].map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", {}, receipt.rungs.map((tried) => el("tr", {}, el("td", {}, tried.rung), el("td", {}, cell(tried)), el("td", {}, tried.why))))),
      chosen && rows(
        ["Element", chosen.label], ["Confidence", chosen.confidence.toFixed(2)],
        ["Click point", round(chosen.point)], ["Box", round(chosen.rect.slice(0, 2)) + ", " + Math.round(chosen.rect[2]) + " × " + Math.round(chosen.rect[3])]));
  }
  function roundCard(round) {
    const dialogs = (round.dialogs || []).map((d) => d.kind + " “" + d.message + "” was " + (d.accepted ? "accepted" : "dismissed"));
    const seen = [...dialogs, ...(round.seen || [])];
    if (!some(seen) && !some(round.feedback) && !some(round.notices) && !round.url) return undefined;
    return card("Round", round.device_time,
      rows(
        ["Page", round.title], ["Address", round.url],
        ["Seen", some(seen) ? list(seen) : undefined],
        ["Notices", some(round.notices) ? list(round.notices) : undefined],
        ["Feedback", some(round.feedback) ? list(round.feedback) : undefined]));
  }

  function stepView(item) {
    const { step, round } = item;
    const plans = round.plans || [];
    const mine = plans[plans.length - 1];
    const figures = [
      figure("Before", step.before, "Screen before: " + step.title, step.marks),
      figure("After", step.after, "Screen after: " + step.title, []),
    ].filter(Boolean);
    return [
      some(figures) && el("div", { class: figures.length === 1 ? "frames one" : "frames" }, figures),
      el("div", { class: "cards" },
        effectCard(step),
        (step.receipts || []).map((receipt) => receiptCard(step, receipt)),
        mine && planCard(mine, false),
        step.action && card("Action", step.class, el("pre", { tabindex: 0 }, json(step.action))),
        timeCard(item),
        (step.calls || []).map((call) => callCard(call)),
        mine && (mine.calls || []).map((call) => callCard(call)),
        roundCard(round)),
    ];
  }
  function planView(item) {
    const { plan, round } = item;
    const seen = figure("What the planner saw", plan.frame, "Screen while planning round " + round.number, []);
    return [
      seen && el("div", { class: "frames one" }, seen),
      el("div", { class: "cards" },
        planCard(plan, true, item.sub),
        (plan.calls || []).map((call) => callCard(call, Boolean(plan.misread))),
        timeCard(item),
        roundCard(round)),
    ];
  }

  // ---- selecting ----
  // Scrolls the timeline alone: `scrollIntoView` would move the page under the reader's eyes too.
  function reveal(button) {
    const nav = byId("timeline");
    const inside = nav.getBoundingClientRect();
    const { top, bottom } = button.getBoundingClientRect();
    if (top < inside.top + 32) nav.scrollTop += top - inside.top - 32;
    // Below a tall head the timeline ends beneath the window.
    const low = inside.top < innerHeight - 64 && inside.bottom > 0 ? Math.min(inside.bottom, innerHeight) : inside.bottom;
    if (bottom > low - 16) nav.scrollTop += bottom - low + 16;
  }
  let current = -1;
  function select(index, quietly) {
    if (index < 0 || index >= items.length || index === current) return;
    if (current >= 0) {
      items[current].button.removeAttribute("aria-current");
      items[current].bar.classList.remove("on");
    }
    current = index;
    const item = items[index];
    item.button.setAttribute("aria-current", "step");
    reveal(item.button);
    item.bar.classList.add("on");
    const crumb = (item.round.number ? "Round " + item.round.number : "Before round 1") + (item.step ? ", step " + item.number + " of " + steps : ", plan");
    const verdict = item.step && item.step.effect ? item.step.effect.verdict : { good: "success", doubt: item.plan && item.plan.abstained ? "abstained" : "attention", bad: "failed", plain: item.step ? item.step.state : "" }[item.tone];
    const because = item.step && item.step.effect ? item.step.effect.because : item.sub;
    byId("step").replaceChildren(
      el("div", { class: "title" },
        el("div", {}, el("p", { class: "crumb" }, crumb), el("h2", {}, text(item.name))),
        el("div", { class: "pager" },
          el("button", { type: "button", disabled: index === 0, on: () => select(current - 1) }, "‹ Back"),
          el("button", { type: "button", disabled: index === items.length - 1, on: () => select(current + 1) }, "Next ›")),
        el("p", { class: "verdict" }, verdict && badge(item.tone, verdict), because && text(because))),
      ...(item.step ? stepView(item) : planView(item)).filter(Boolean),
      el("footer", {}, el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step by step, ", el("kbd", {}, "Home"), " ", el("kbd", {}, "End"), " first and last"));
    if (!quietly) {
      history.replaceState(null, "", "#" + (index + 1));
      byId("status").textContent = crumb + ": " + item.name + ". " + (verdict || "");
    }
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("zoom").open) return;
    const inTimeline = byId("timeline").contains(document.activeElement);
    const to = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: items.length - 1 };
    if (inTimeline) Object.assign(to, { ArrowUp: current - 1, ArrowDown: current + 1 });
    if (!(event.key in to)) return;
    event.preventDefault();
    select(to[event.key]);
    if (inTimeline) items[current].button.focus({ preventScroll: true });
  });
  byId("zoom").addEventListener("click", (event) => { if (event.target === byId("zoom")) byId("zoom").close(); });

  head();
  if (items.length === 0) {
    byId("strip").remove();
    byId("timeline").remove();
    const notes = data.rounds.flatMap((round) => [...(round.notices || []), ...(round.feedback || [])]);
    byId("step").append(el("p", {}, "This run has no steps."), list(notes));
  } else {
    strip();
    timeline();
    const asked = Number(location.hash.slice(1));
    const worst = items.findLastIndex((item) => item.tone === "bad");
    const first = Math.max(0, items.findIndex((item) => item.step));
    const start = run.end.tone === "good" ? first : worst >= 0 ? worst : items.length - 1;
    select(asked >= 1 && asked <= items.length ? asked - 1 : start, true);
    window.addEventListener("hashchange", () => select(Number(location.hash.slice(1)) - 1));
  }
})();
