// The stepper's front end, one plain module: no build, no network.
//
// Python sends a picture of the run, a "view" (see stepper/view.py), whenever something
// changed. This file keeps the latest, draws it, and sends back what was clicked. The
// functions before `draw` are pure, and tests/stepper/widget.test.mjs tests them.
// Text from a payload goes into text nodes only: it is never read as HTML.

const PATIENCE = 3000; // milliseconds until we say that the kernel does not answer

const BUSY_KERNEL =
  "The kernel has not answered yet. If another cell is running, this goes on by itself " +
  "when that cell ends. If the kernel was restarted, run this cell again.";
const GONE_KERNEL =
  "The kernel was stopped or restarted, so this stepper cannot go on. What you see is its " +
  "last state. Run the cell again to begin anew.";

// What a key does: a message to Python, or the rail's step whose record is shown.
const KEYS = { n: "next", e: "end", r: "restart" };

export function keyAction(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (/^[1-4]$/.test(event.key)) return { show: Number(event.key) };
  if (event.key === "0") return { show: null };
  return Object.hasOwn(KEYS, event.key) ? { do: KEYS[event.key] } : null;
}

// The view after `update`, which leaves out the first steps; null when some are missing.
export function merge(view, update) {
  const { first } = update;
  if (first === 0) return update;
  if (!view || view.steps.length < first) return null;
  return { ...update, first: 0, steps: [...view.steps.slice(0, first), ...update.steps] };
}

// The board: one cell for each step of each turn of the loop, in the order of time.
// Calls of the same round share a cell; a step to the left of the last begins a new row.
export function cells(view) {
  const items = [...view.steps];
  if (view.pending) items.push({ ...view.pending, pending: true });
  const board = [];
  for (const item of items) {
    const last = board.at(-1);
    const parallel = last?.column === item.number && item.kind === "call" &&
      last.items[0].round === item.round && !item.pending;
    if (parallel) last.items.push(item);
    else {
      const row = last ? last.row + (item.number <= last.column ? 1 : 0) : 1;
      board.push({ column: item.number, row, items: [item] });
    }
  }
  return board;
}

// The one or two payloads to look at. `selected` is the index of a recorded step; null
// means "now": the last answer, and what is about to be sent.
export function panes(view, selected) {
  const shown = selected ?? (view.over ? view.steps.length - 1 : null);
  if (shown !== null) {
    const step = view.steps[shown];
    return step ? [sentPane(step), answerPane(step)] : [];
  }
  const last = view.steps.at(-1);
  const next = {
    title: `${view.busy ? "On its way" : "About to be sent"}: ${label(view.pending)}`,
    words: view.pending.sent.join("\n"),
    payload: view.pending.out,
    step: view.pending.number,
    pending: true,
  };
  return last ? [{ ...answerPane(last), title: `Came back: ${label(last)}` }, next] : [next];
}

const sentPane = (step) =>
  ({ title: "Sent", words: step.sent, payload: step.out, step: step.number });

const answerPane = (step) =>
  ({ title: "Came back", words: step.came, payload: step.in, step: step.number,
     wrong: Boolean(step.error) });

export const label = (step) =>
  `${step.number} ${step.name}` + (step.round ? `, round ${step.round}` : "");

// The index of the last record of rail step `number`, or null when there is none.
export function lastOf(view, number) {
  const index = view.steps.findLastIndex((step) => step.number === number);
  return index < 0 ? null : index;
}

export function count(number, one) {
  return `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;
}

export function facts(view) {
  return [count(view.round, "model call"), count(view.tokens.total, "token"),
    count(view.messages.length, "message")].join(" · ");
}

export function growth(view) {
  if (!view.growth.length) return "Nothing was sent to the model yet.";
  const rounds = view.growth.map((row) => `${row.messages} in round ${row.round}`);
  const shown = rounds.length > 6 ? [...rounds.slice(0, 2), "…", ...rounds.slice(-3)] : rounds;
  return `Sent: ${shown.join(", ")}.`;
}

// What a screen reader says after a change.
export function spoken(view) {
  const last = view.steps.at(-1);
  const done = last ? `Step ${label(last)}: ${last.came}. ` : "";
  if (view.busy) return `Working: ${view.pending?.words ?? ""}.`;
  if (view.over) return `${done}${view.outcome} ${view.answer}`.trim();
  if (view.approval.length) return `${done}Your decision is needed before the next step.`;
  return `${done}Next: step ${view.pending.number}, ${view.pending.words}.`;
}

// A line of laid-out JSON as [kind, text] pairs, for colouring.
export function tokens(line) {
  const pattern = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d[\d.eE+-]*/g;
  const found = [];
  let end = 0;
  for (const match of line.matchAll(pattern)) {
    if (match.index > end) found.push(["", line.slice(end, match.index)]);
    const kind = match[2] !== undefined ? "key" : match[1] ? "string" : "literal";
    found.push([kind, match[1] ?? match[0]]);
    end = match.index + (match[1] ?? match[0]).length;
  }
  if (end < line.length) found.push(["", line.slice(end)]);
  return found;
}

// A DOM element. Strings among the children become text nodes.
function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") element.addEventListener("click", value);
    else if (value !== false && value != null) element.setAttribute(name, String(value));
  }
  element.append(...children.flat(2).filter((child) => child != null && child !== false));
  return element;
}

function draw({ model, el }) {
  let view = null; // the latest picture
  let selected = null; // index of the record that is looked at; null is "now"
  let asked = 0; // number of the last message to Python
  let waiting = false; // Python has not answered it
  let gone = false; // there is no kernel to ask
  let timer = 0; // until we say so
  let ticker = 0; // counts the seconds of a long step
  let busySince = 0;

  // What stays for good; the rest is drawn into it.
  const question = h("p", { class: "question" });
  const source = h("p", { class: "source" });
  const button = (words, key, action, kind = "") =>
    h("button", { type: "button", class: kind, "aria-keyshortcuts": key, onclick: action }, words);
  const next = button("Next", "n", () => send("next"), "primary");
  const toEnd = button("Run to end", "e", () => send("end"));
  const restart = button("Restart", "r", () => send("restart"));
  const cancel = button("Cancel", null, () => send("cancel"));
  const figures = h("span", { class: "facts" });
  const controls = h("div", { class: "controls", role: "group", "aria-label": "Go on" },
    next, toEnd, restart, cancel, figures);
  const notice = h("p", { class: "notice", role: "alert", hidden: "" });
  const decision = h("div", { class: "decision", role: "group", hidden: "",
    "aria-label": "Your decision" });
  const outcome = h("div", { class: "outcome", hidden: "" });
  const rail = h("ol", { class: "rail", role: "list", "aria-label": "The four steps" });
  const records = h("ol", { class: "records", role: "list", "aria-label": "Steps of this run" });
  const board = h("div", { class: "board", tabindex: "-1" }, rail, records);
  const looking = h("div", { class: "looking" });
  const payloads = h("div", { class: "panes" });
  const messages = h("div", { class: "messages" });
  const live = h("p", { class: "sr-only", role: "status", "aria-live": "polite" });
  const help = h("p", { class: "help" }, "Keys: ", keyWords());
  const root = h("section", { class: "mcplab mcplab-stepper", tabindex: "-1",
    "aria-label": "Stepper" },
    h("header", {}, question, source), controls, notice, decision, outcome,
    board, looking, payloads, messages, help, live);
  el.append(root);

  function send(what) {
    if (what !== "show" && (waiting || (what !== "cancel" && !enabled(what)))) return;
    clearTimeout(timer);
    asked += 1;
    try {
      model.send({ id: asked, do: what, at: view?.position ?? null });
      waiting = what !== "show" || !view;
      timer = setTimeout(() => say(BUSY_KERNEL), PATIENCE);
    } catch {
      gone = true; // the widget manager has no connection for this widget any more
      say(GONE_KERNEL);
    }
    if (view) drawControls();
  }

  function receive(message) {
    clearTimeout(timer);
    gone = false;
    say("");
    if (message.answers === asked) {
      waiting = false;
      if (message.refused) say(message.refused);
    }
    if (message.view) {
      const merged = merge(view, message.view);
      if (merged === null) return send("show");
      const moved = view?.position !== merged.position;
      if (moved) selected = null;
      view = merged;
      drawAll();
    } else if (view) drawControls();
  }

  function say(words) {
    notice.textContent = words;
    notice.hidden = !words;
  }

  function enabled(what) {
    if (!view || waiting || gone || view.busy) return false;
    if (what === "restart") return view.steps.length > 0 || view.over;
    if (what === "next" || what === "end") return !view.over && !view.approval.length;
    return true;
  }

  function drawAll() {
    question.textContent = view.question;
    root.setAttribute("aria-label", `Stepper: ${view.question}`);
    source.replaceChildren(h("span", { class: "tag" }, view.source), " ",
      `${view.model} · ${view.dialect}`);
    drawControls();
    drawDecision();
    drawOutcome();
    drawRail();
    drawLooking();
    drawMessages();
    live.textContent = spoken(view);
  }

  function drawControls() {
    const words = view.pending ? `${view.pending.number} ${view.pending.name}` : "";
    next.textContent = view.over ? "Done" : `Next: ${words}`;
    for (const [element, what] of [[next, "next"], [toEnd, "end"], [restart, "restart"]]) {
      element.setAttribute("aria-disabled", String(!enabled(what)));
    }
    const hadFocus = root.getRootNode().activeElement === cancel;
    cancel.hidden = !view.busy;
    if (hadFocus && cancel.hidden) next.focus();
    root.classList.toggle("busy", view.busy);
    clearInterval(ticker);
    busySince = view.busy ? busySince || Date.now() : 0;
    if (view.busy) ticker = setInterval(drawFigures, 1000);
    drawFigures();
  }

  function drawFigures() {
    const seconds = Math.floor((Date.now() - busySince) / 1000);
    figures.textContent = view.busy
      ? `Working: ${view.pending?.words ?? ""}${seconds ? `, ${seconds} s` : ""} …`
      : facts(view);
  }

  function drawDecision() {
    decision.hidden = !view.approval.length || view.busy;
    decision.replaceChildren(
      h("p", {}, h("strong", {}, "This step may change something. "), "It is not marked as " +
        "read-only, so it runs only if you say so."),
      h("ul", {}, view.approval.map((call) => h("li", {}, h("code", {}, call.words)))),
      button("Run it", null, () => send("run"), "primary"),
      button("Decline", null, () => send("decline")),
    );
  }

  function drawOutcome() {
    outcome.hidden = !view.over;
    outcome.classList.toggle("stopped", view.stopped);
    outcome.replaceChildren(
      view.answer
        ? h("p", { class: view.answer.length > 160 ? "answer long" : "answer" }, view.answer) : "",
      h("p", {}, view.outcome),
    );
  }

  function drawRail() {
    rail.replaceChildren(...view.rail.map((step) =>
      h("li", { class: step.state, "data-step": step.number,
        "aria-current": step.state === "current" ? "step" : null },
      h("span", { class: "badge", "aria-hidden": "true" }, String(step.number)),
      h("strong", {}, step.name),
      h("span", { class: "hint" }, step.hint))));
    const focused = root.getRootNode().activeElement?.dataset?.record;
    records.replaceChildren(...cells(view).map((cell) =>
      h("li", { style: `--column:${cell.column};--row:${cell.row + 1}` },
        cell.items.map(record))));
    if (focused) records.querySelector(`[data-record="${focused}"]`)?.focus();
    const last = records.lastElementChild;
    if (last) board.scrollTop = last.offsetTop; // the board scrolls when there are many rows
  }

  function record(item) {
    const index = item.pending ? null : item.index;
    const shown = selected ?? (view.over ? view.steps.length - 1 : null);
    const cost = item.pending ? (view.busy ? "waiting for the answer" : "not sent yet")
      : [item.duration, item.tokens && count(item.tokens.total, "token")].filter(Boolean)
        .join(" · ");
    const kind = item.pending ? "record pending" : item.error ? "record wrong" : "record";
    return h("button", { type: "button", class: kind, "data-step": item.number,
      "data-record": index ?? "now", "aria-pressed": String(index === shown),
      onclick: () => select(index) },
    h("span", { class: "where" }, label(item)),
    item.pending || item.kind === "call" || item.kind === "list"
      ? h("span", { class: "what" }, item.pending ? item.words : item.sent) : "",
    item.pending ? "" : h("span", { class: "came" }, item.error ? `✗ ${item.came}` : item.came),
    h("span", { class: "cost" }, cost));
  }

  function select(index) {
    selected = index;
    drawRail();
    drawLooking();
    const step = index === null ? null : view.steps[index];
    live.textContent = step ? `Showing step ${label(step)}: ${step.came}` : spoken(view);
  }

  function drawLooking() {
    const step = selected === null ? null : view.steps[selected];
    looking.hidden = !step;
    looking.replaceChildren(...(step
      ? [h("span", {}, `You are looking at step ${label(step)}.`),
        button("Back to now", "0", () => select(null))]
      : []));
    payloads.replaceChildren(...panes(view, selected).map(pane));
    for (const line of payloads.querySelectorAll("pre > :not(.new) + .new")) {
      const before = line.previousElementSibling; // what is new comes into sight, with a line before
      line.parentElement.scrollTop = before.offsetTop - 6;
    }
  }

  function pane({ title, words, payload, step, pending, wrong }) {
    const size = payload
      ? `${payload.new ? "new messages highlighted · " : ""}${count(payload.size, "character")}` : "";
    return h("div", { class: pending ? "pane pending" : "pane", "data-step": step },
      h("div", { class: "head" }, h("h4", {}, title), h("span", { class: "size" }, size)),
      h("p", { class: wrong ? "words wrong" : "words" }, words),
      payload ? json(payload, title) : h("p", { class: "none" }, "Nothing came back."));
  }

  function json(payload, title) {
    const [first, last] = payload.new ?? [1, 0];
    const lines = payload.text.split("\n").map((line, index) =>
      h("span", { class: index >= first && index <= last ? "line new" : "line",
        style: `--indent:${line.search(/\S|$/)}` },
      tokens(line).map(([kind, text]) => (kind ? h("span", { class: kind }, text) : text)), "\n"));
    const more = payload.cut
      ? h("span", { class: "line more" },
        "… The rest is not shown here. The trace has all of it: widget.stepper.trace")
      : "";
    return h("pre", { tabindex: "0", dir: "ltr", role: "group", "aria-label": `${title}, payload` },
      lines, more);
  }

  function drawMessages() {
    const rows = view.messages.map((message, index) =>
      h("li", { class: message.new ? "new" : "" },
        h("span", { class: "who" }, h("span", { class: "number" }, String(index + 1)),
          h("strong", {}, message.role), message.new ? h("em", {}, "new") : ""),
        h("div", { class: "parts" }, message.parts.map(part)),
        h("span", { class: "size" }, count(message.size, "character"))));
    messages.replaceChildren(
      h("div", { class: "head" }, h("h4", {}, `Messages: ${view.messages.length}`),
        h("span", { class: "size" }, growth(view))),
      h("ol", { role: "list" }, rows));
  }

  function part({ kind, text, id }) {
    const names = { call: "asks for ", result: "result ", error: "error " };
    return h("p", { class: kind },
      kind in names ? h("span", { class: "kind" }, names[kind]) : "",
      kind === "call" ? h("code", {}, text) : h("bdi", {}, text),
      id ? [" ", h("code", { class: "id" }, id)] : "");
  }

  // A key pressed in the widget is the widget's. JupyterLab's own listener would take it as a
  // command for the cell (`a` inserts one), so we are before it, in the capture phase.
  function onKey(event) {
    if (!event.composedPath().includes(root)) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    const action = keyAction(event);
    if (!action || !view) return;
    if (action.do) send(action.do);
    else if (action.show === null) select(null);
    else {
      const index = lastOf(view, action.show);
      if (index === null) live.textContent = `Step ${action.show} was not done yet.`;
      else select(index);
    }
    event.preventDefault();
  }

  // The connection to the kernel was closed, or is there again: asking tells which.
  const onConnection = () => send("show");
  window.addEventListener("keydown", onKey, { capture: true });
  model.on("msg:custom", receive);
  model.on("comm_live_update", onConnection);
  send("show");

  return () => {
    clearTimeout(timer);
    clearInterval(ticker);
    window.removeEventListener("keydown", onKey, { capture: true });
    model.off("msg:custom", receive);
    model.off("comm_live_update", onConnection);
  };
}

function keyWords() {
  const keys = [["n", "next"], ["e", "run to end"], ["r", "restart"],
    ["1–4", "show a step"], ["0", "back to now"]];
  return keys.flatMap(([key, words], index) =>
    [index ? " · " : "", h("kbd", {}, key), ` ${words}`]);
}

export default { render: draw };
