// How long the hall display shows each of its pages.

import assert from "node:assert/strict";
import { test } from "node:test";

const list = { dataset: { pages: "1" } };
globalThis.document = {
  hidden: false,
  getElementById: (id) => (id === "hall" ? { querySelector: () => list } : null),
  createElement: () => ({ content: { children: [] } }),
  addEventListener: () => {},
};
globalThis.matchMedia = () => ({ matches: false });
globalThis.location = { pathname: "/hall/token" };

async function shownFor(context, pages) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  list.dataset.pages = String(pages);
  let asked = 0;
  globalThis.fetch = () => {
    asked += 1;
    return new Promise(() => {});
  };
  await import(`../../companion/web/static/lobby/hall.js?${pages}`);
  let ms = 0;
  for (; !asked; ms += 100) {
    context.mock.timers.tick(100);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
  return ms;
}

test("a few pages are shown for ten seconds each", async (context) => assert.equal(await shownFor(context, 7), 10_000));
test("of many each is shown for less, so that a round takes three minutes", async (context) =>
  assert.equal(await shownFor(context, 30), 6_000));
test("none is shown for less than five seconds", async (context) => assert.equal(await shownFor(context, 50), 5_000));
