// Forms that become commands.

import assert from "node:assert/strict";
import { test } from "node:test";
import { command, counted, digits, step } from "../../companion/web/static/core/forms.js";

const field = (name, value, dataset = {}, more = {}) => ({ name, value, dataset, ...more });
const form = (send, ...elements) => ({ dataset: { send: JSON.stringify(send) }, elements });

test("amounts are written as the sample is", () => {
  assert.equal(digits("$1,234,000", 28000), "$28,000");
  assert.equal(digits("1.234.000 $", 5000), "5.000 $");
  assert.equal(digits("1 234 000 $", 1234567), "1 234 567 $");
  assert.equal(digits("$1,234,000", 0), "$0");
});

test("a field is a member of the command, an amount a number", () => {
  const made = command(form({ do: "bid", player: "red" }, field("amount", "9000", { kind: "amount" })));

  assert.deepEqual(made, { do: "bid", player: "red", amount: 9000 });
});

test("ticked cards are a list, and the others are left out", () => {
  const ticks = ["W01", "W02", "W03"].map((card, at) =>
    field("workers", card, { kind: "list" }, { type: "checkbox", checked: at !== 1 }),
  );

  assert.deepEqual(command(form({ do: "choose_workers" }, ...ticks)), {
    do: "choose_workers",
    workers: ["W01", "W03"],
  });
});

test("a list of which nothing is ticked is there, as the form begins", () => {
  const none = ["W01", "W02"].map((card) => field("workers", card, { kind: "list" }, { type: "checkbox" }));

  assert.deepEqual(command(form({ do: "sell", workers: [] }, ...none)), { do: "sell", workers: [] });
});

test("each list of a form has limits of its own", () => {
  const list = (least, most, ...checked) => {
    const ticks = checked.map((is) => ({ checked: is, disabled: false }));
    return { dataset: { least, most }, ticks, querySelectorAll: () => ticks };
  };
  const button = { disabled: false };
  const counts = (...lists) => {
    counted({ dataset: {}, querySelectorAll: (what) => (what.startsWith("fieldset") ? lists : [button]) });
    return !button.disabled;
  };

  assert.ok(counts(list("1", "1", true), list("0", "2", true, true)));
  assert.ok(!counts(list("1", "1", false), list("0", "2", true, true)));
  const [given, got] = [list("0", "2", true, true, false), list("0", "3", false, false)];
  assert.ok(counts(given, got));
  assert.deepEqual(
    [...given.ticks, ...got.ticks].map((tick) => tick.disabled),
    [false, false, true, false, false],
  );
});

test("the button of a bag waits until as many are counted as must be", () => {
  const bag = (least, most, ...counts) => {
    const fields = counts.map((value) => ({ value: String(value) }));
    return { dataset: { bag: "", least, most }, querySelectorAll: () => fields };
  };
  const button = { disabled: false };
  const counts = (list) => {
    counted({ dataset: {}, querySelectorAll: (what) => (what.includes("[data-bag]") ? [list] : [button]) });
    return !button.disabled;
  };

  assert.ok(!counts(bag("4", "4", 0, 0)));
  assert.ok(!counts(bag("4", "4", 3, 2)));
  assert.ok(counts(bag("4", "4", 3, 1)));
  assert.ok(counts(bag("0", "0", 3, 2)));
});

test("what may be left out is left out where it is empty", () => {
  const made = command(form({ do: "correct_turn" }, field("phase", "", { optional: "" }), field("reason", "late")));

  assert.deepEqual(made, { do: "correct_turn", reason: "late" });
});

test("one value may stand for several members", () => {
  const whole = field(
    "_sections",
    "0",
    { whole: '{"sections": {"C01": ["wall-1"]}}' },
    { type: "radio", checked: true },
  );

  assert.deepEqual(command(form({ do: "choose_sections" }, whole)).sections, { C01: ["wall-1"] });
});

test("the parts of a mapping are put together, and what there is nothing of is left out", () => {
  const made = command(
    form(
      { do: "trade", player: "red", with: "green" },
      field("give.money", "50", { kind: "amount" }),
      field("give.chips", "2", { of: "red" }),
      field("give.chips", "0", { of: "green" }),
      field("get.money", "0", { kind: "amount" }),
      field("get.deeds", "D03", { kind: "list" }, { type: "checkbox", checked: true }),
      field("get.deeds", "D04", { kind: "list" }, { type: "checkbox", checked: false }),
    ),
  );

  assert.deepEqual(made, {
    do: "trade",
    player: "red",
    with: "green",
    give: { money: 50, chips: { red: 2 } },
    get: { deeds: ["D03"] },
  });
});

test("a form with two buttons says which was tapped", () => {
  assert.equal(command(form({ do: "borrow" }), { dataset: { instead: "repay" } }).do, "repay");
});

test("all in is the most, and a second tap leads back to the least", () => {
  const field = { value: "4000" };
  const all = { dataset: { all: "All in", back: "The minimum" }, textContent: "" };
  const places = { input: field, output: { textContent: "" } };
  const stepper = {
    dataset: { least: "4000", most: "31000", sample: "$1,234,000" },
    querySelector: (name) => places[name],
    querySelectorAll: (which) => (which === "[data-all]" ? [all] : []),
    closest: () => ({ querySelectorAll: () => [] }),
  };

  step(stepper, "all");
  assert.deepEqual([field.value, all.textContent], ["31000", "The minimum"]);

  step(stepper, "all");
  assert.deepEqual([field.value, all.textContent], ["4000", "All in"]);
});

test("dice are a list of numbers in their order", () => {
  const dice = ["6", "1"].map((face, die) =>
    field(`dice-${die}`, face, { die: "dice" }, { type: "radio", checked: true }),
  );

  assert.deepEqual(command(form({ do: "roll", player: "red" }, ...dice)), { do: "roll", player: "red", dice: [6, 1] });
});

test("of a bag only the kinds are said of which there is any", () => {
  const kinds = [field("chips", "2", { of: "red" }), field("chips", "0", { of: "green" })];

  assert.deepEqual(command(form({ do: "take" }, ...kinds)).chips, { red: 2 });
});
