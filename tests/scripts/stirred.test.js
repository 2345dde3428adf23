// Pages in a hall ask the app what has changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "../../companion/web/static/core/stirred.js";

const news = JSON.stringify({ within: 0 });
const settle = () => new Promise(setImmediate);

// Answered by nobody: it fails once its time is over.
const hang = (asked) => (signal) =>
  new Promise((_, fail) => {
    asked.push(signal);
    signal.addEventListener("abort", () => fail(signal.reason));
  });

async function pass(context, ms) {
  for (let gone = 0; gone < ms; gone += 100) {
    context.mock.timers.tick(100);
    await settle();
  }
}

test("a question that hangs is given up and asked again, later each time", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const asked = [];
  ask(news, new AbortController().signal, hang(asked));
  await pass(context, 10_000);
  assert.equal(asked.length, 3);
  assert.ok(asked[0].aborted);
});

test("once its stream has ended nothing more is asked", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const [asked, stream] = [[], new AbortController()];
  ask(news, stream.signal, hang(asked));
  await pass(context, 100);
  stream.abort();
  await pass(context, 10_000);
  assert.equal(asked.length, 1);
  assert.ok(asked[0].aborted);
});
