// The pure functions of the stepper's front end: node --test tests/stepper/widget.test.mjs

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";

const source = new URL("../../mcplab/stepper/widget.js", import.meta.url);
const code = await readFile(source, "utf8");
const {
  cells, count, facts, growth, keyAction, lastOf, merge, panes, spoken, tokens,
} = await import(`data:text/javascript;base64,${Buffer.from(code).toString("base64")}`);

const step = (index, number, round, more = {}) => ({
  index, number, round, kind: ["list", "ask", "call", "return"][number - 1],
  name: ["List", "Ask", "Call", "Return"][number - 1],
  sent: `sent ${index}`, came: `came ${index}`, out: {}, in: {}, error: null, ...more,
});
const pending = (number, round) => ({ ...step(-1, number, round), words: "do it", sent: ["x"] });
const view = (steps, next = null) => ({
  first: 0, steps, pending: next, over: next === null, busy: false, approval: [], growth: [],
  outcome: "The model answered.", answer: "360", round: 2, tokens: { total: 1234 }, messages: [1],
});
const key = (name, more = {}) => ({ key: name, ...more });

test("a picture from the beginning replaces the old one", () => {
  const update = view([step(0, 1, 0)]);
  assert.equal(merge(view([]), update), update);
  assert.equal(merge(null, update), update);
});

test("a picture of the rest is joined to what is known", () => {
  const first = step(0, 1, 0);
  const joined = merge(view([first]), { ...view([step(1, 2, 1)]), first: 1 });
  assert.deepEqual(joined.steps.map((one) => one.index), [0, 1]);
  assert.equal(joined.steps[0], first);
  assert.equal(joined.first, 0);
});

test("a picture whose beginning was missed is not joined", () => {
  assert.equal(merge(view([]), { ...view([step(1, 2, 1)]), first: 1 }), null);
  assert.equal(merge(null, { ...view([]), first: 1 }), null);
});

test("the board has a row for each turn of the loop and a cell for parallel calls", () => {
  const steps = [step(0, 1, 0), step(1, 2, 1), step(2, 3, 1), step(3, 3, 1), step(4, 4, 2)];
  const board = cells(view(steps, pending(3, 2)));
  assert.deepEqual(
    board.map((cell) => [cell.column, cell.row, cell.items.length]),
    [[1, 1, 1], [2, 1, 1], [3, 1, 2], [4, 1, 1], [3, 2, 1]],
  );
  assert.ok(board.at(-1).items[0].pending);
});

test("an empty run has an empty board", () => {
  assert.deepEqual(cells(view([])), []);
});

test("now: the last answer stands beside what is about to be sent", () => {
  const shown = panes(view([step(0, 1, 0)], pending(2, 1)), null);
  assert.deepEqual(shown.map((pane) => pane.title), ["Came back: 1 List", "About to be sent: 2 Ask, round 1"]);
  assert.ok(shown[1].pending);
});

test("before the first step there is only what is about to be sent", () => {
  assert.deepEqual(panes(view([], pending(1, 0)), null).map((pane) => pane.title),
    ["About to be sent: 1 List"]);
});

test("what is being sent is not called pending any more", () => {
  const shown = panes({ ...view([], pending(1, 0)), busy: true }, null);
  assert.equal(shown[0].title, "On its way: 1 List");
});

test("a selected step shows what it sent and what came back", () => {
  const shown = panes(view([step(0, 1, 0, { error: "no" })], pending(2, 1)), 0);
  assert.deepEqual(shown.map((pane) => pane.title), ["Sent", "Came back"]);
  assert.ok(shown[1].wrong);
});

test("at the end the last step is shown, and a run without steps shows nothing", () => {
  assert.equal(panes(view([step(0, 4, 2)]), null)[1].words, "came 0");
  assert.deepEqual(panes(view([]), null), []);
});

test("keys are single letters without a modifier", () => {
  assert.deepEqual(keyAction(key("n")), { do: "next" });
  assert.deepEqual(keyAction(key("e")), { do: "end" });
  assert.deepEqual(keyAction(key("r")), { do: "restart" });
  assert.deepEqual(keyAction(key("3")), { show: 3 });
  assert.deepEqual(keyAction(key("0")), { show: null });
  for (const other of ["a", "b", "Enter", "Tab", "12", ""]) assert.equal(keyAction(key(other)), null);
  assert.equal(keyAction(key("r", { ctrlKey: true })), null);
  assert.equal(keyAction(key("toString")), null);
});

test("the last record of a step is found, or none", () => {
  const run = view([step(0, 2, 1), step(1, 4, 2), step(2, 4, 3)]);
  assert.equal(lastOf(run, 4), 2);
  assert.equal(lastOf(run, 3), null);
});

test("a screen reader hears what was done and what comes next", () => {
  const run = view([step(0, 1, 0)], pending(2, 1));
  assert.equal(spoken(run), "Step 1 List: came 0. Next: step 2, do it.");
  assert.match(spoken({ ...run, busy: true }), /Working: do it/);
  assert.match(spoken({ ...run, approval: [{}] }), /decision/);
  assert.match(spoken(view([step(0, 4, 2)])), /The model answered\. 360/);
});

test("counts are words", () => {
  assert.equal(count(1, "message"), "1 message");
  assert.equal(count(1234, "token"), "1,234 tokens");
  assert.equal(facts(view([])), "2 model calls · 1,234 tokens · 1 message");
});

test("growth names each round, and only the ends of a long run", () => {
  const rows = (length) => Array.from({ length }, (_, i) => ({ round: i + 1, messages: 2 * i + 1 }));
  assert.equal(growth({ growth: rows(2) }), "Sent: 1 in round 1, 3 in round 2.");
  assert.match(growth({ growth: rows(300) }), /3 in round 2, …, 595 in round 298/);
  assert.equal(growth({ growth: [] }), "Nothing was sent to the model yet.");
});

test("JSON is cut into coloured pieces without losing a letter", () => {
  const line = '  "a\\"b": [1e5, -2.5, true, "x: <script>", null],';
  const pieces = tokens(line);
  assert.equal(pieces.map(([, text]) => text).join(""), line);
  assert.deepEqual(pieces.filter(([kind]) => kind), [
    ["key", '"a\\"b"'], ["literal", "1e5"], ["literal", "-2.5"], ["literal", "true"],
    ["string", '"x: <script>"'], ["literal", "null"],
  ]);
});

test("a line that was cut in the middle of a string keeps its letters", () => {
  const line = '"text": "' + "\\\\".repeat(20000) + "never closed";
  assert.equal(tokens(line).map(([, text]) => text).join(""), line);
});
