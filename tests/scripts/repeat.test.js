// Pages that ask for news every few seconds.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

const banner = { hidden: true };
const seen = [];
globalThis.document = {
  hidden: false,
  getElementById: () => banner,
  addEventListener: (_, listener) => seen.push(listener),
};
const { pause } = await import("../../companion/web/static/core/again.js");

let repeat;
let tests = 0;
let answers = true;
let asked = [];
let now = 0;

// Let time pass in small steps, with all that is promised in between.
async function pass(context, ms) {
  for (const until = now + ms; now < until; now += 100) {
    context.mock.timers.tick(100);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
}

const ask = () => {
  asked.push(now);
  return answers ? Promise.resolve() : Promise.reject(new Error("no answer"));
};
const betweenThem = () => asked.slice(1).map((moment, which) => moment - asked[which]);

beforeEach(async (context) => {
  ({ repeat } = await import(`../../companion/web/static/core/repeat.js?${tests++}`)); // another page
  context.mock.timers.enable({ apis: ["setTimeout"] });
  [asked, now, answers] = [[], 0, true];
});
afterEach(() => {
  document.hidden = false;
  banner.hidden = true;
});

test("while answers come, the next question follows after the same time", async (context) => {
  repeat(ask, () => 1_000);
  await pass(context, 6_000);

  assert.ok(asked.length >= 4);
  assert.ok(betweenThem().every((ms) => ms >= 1_000 && ms <= 1_300));
  assert.equal(banner.hidden, true);
});

test("what fails is asked later each time, and the banner says that the page may be old", async (context) => {
  answers = false;
  repeat(ask, () => 1_000);
  await pass(context, 120_000);

  const waits = betweenThem();
  assert.equal(banner.hidden, false);
  assert.ok(Math.max(...waits.slice(0, 2)) < 2_000);
  assert.ok(Math.min(...waits.slice(-3)) > 5_000);
  assert.ok(Math.max(...waits) <= 15_300);

  // and the banner goes when an answer comes
  answers = true;
  await pass(context, 16_000);
  assert.equal(banner.hidden, true);
});

test("one failure alone is no reason for a banner", async (context) => {
  answers = false;
  repeat(ask, () => 1_000);
  await pass(context, 1_200);
  assert.equal(asked.length, 1);
  assert.equal(banner.hidden, true);
});

test("a page that nobody sees asks nothing until somebody looks at it", async (context) => {
  document.hidden = true;
  repeat(ask, () => 1_000);
  await pass(context, 60_000);
  assert.equal(asked.length, 0);

  document.hidden = false;
  seen.splice(0).forEach((listener) => listener());
  await pass(context, 500);
  assert.equal(asked.length, 1);
});

test("devices that lost contact at one moment try again at moments of their own", () => {
  for (const tries of [0, 3, 20]) {
    const waits = Array.from({ length: 200 }, () => pause(tries));
    assert.ok(new Set(waits).size > 150);
    assert.ok(Math.max(...waits) <= 5_000);
    assert.ok(Math.max(...waits) / Math.min(...waits) > 1.5);
  }
});

test("of two questions of a page the one that fails says so, whatever the other one is answered", async (context) => {
  repeat(ask, () => 1_000);
  repeat(
    () => Promise.reject(new Error("no answer")),
    () => 1_000,
  );
  await pass(context, 10_000);

  assert.equal(banner.hidden, false);
});
