// While a finger lies on the page nothing is drawn anew.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

const [CLICK, LONGEST] = [60, 30_000];
const acts = {};
globalThis.addEventListener = (kind, act) => (acts[kind] = act);
const { untouched } = await import("../../companion/web/static/core/finger.js");

beforeEach((context) => context.mock.timers.enable({ apis: ["setTimeout"] }));

const finger = (kind, pointerId, more = {}) =>
  acts[kind]({ pointerId, isPrimary: pointerId === 1, button: 0, ...more });
const settle = () => new Promise(setImmediate);

// Whether news may be drawn now.
async function isFree() {
  let free = false;
  untouched().then(() => (free = true));
  await settle();
  return free;
}

async function after(context, ms) {
  context.mock.timers.tick(ms);
  return isFree();
}

test("a finger that rests holds the page until its click is over", async (context) => {
  finger("pointerdown", 1);
  assert.equal(await after(context, LONGEST - 1_000), false);
  finger("pointerup", 1);
  assert.equal(await after(context, CLICK - 1), false);
  assert.equal(await after(context, 1), true);
});

test("of two fingers the last one counts", async (context) => {
  finger("pointerdown", 1);
  finger("pointerdown", 2);
  finger("pointerup", 1);
  assert.equal(await after(context, 5_000), false);
  finger("pointercancel", 2);
  assert.equal(await after(context, CLICK), true);
});

test("a finger that comes down while a click is awaited finds what it aimed at", async (context) => {
  finger("pointerdown", 1);
  finger("pointerup", 1);
  let drawn = false;
  untouched().then(() => (drawn = true));
  context.mock.timers.tick(CLICK - 1);
  finger("pointerdown", 1);
  context.mock.timers.tick(1_000);
  await settle();
  assert.equal(drawn, false);
  finger("pointerup", 1);
  assert.equal(await after(context, CLICK), true);
});

test("a finger whose end was lost holds nothing beyond thirty seconds, nor beyond the next tap", async (context) => {
  finger("pointerdown", 1);
  assert.equal(await after(context, LONGEST), true);

  finger("pointerdown", 2);
  finger("pointerdown", 1);
  finger("pointerup", 1);
  assert.equal(await after(context, CLICK), true);
});

for (const leaving of ["blur", "visibilitychange"]) {
  test(`whoever leaves the page holds nothing (${leaving})`, async () => {
    finger("pointerdown", 1);
    acts[leaving]({});
    assert.equal(await isFree(), true);
  });
}

test("a menu of the right button and a key that repeats hold nothing more", async (context) => {
  finger("pointerdown", 1, { button: 2 });
  assert.equal(await isFree(), true);
  acts.keydown({ key: " ", repeat: false });
  acts.keydown({ key: " ", repeat: true });
  assert.equal(await after(context, 1_000), false);
  acts.keyup({ key: " " });
  assert.equal(await after(context, CLICK), true);
});
