// Pages that ask for news every few seconds: while somebody can see them, one question after the other.  What fails is
// asked again later each time, at moments of its own, and a banner says that what is shown may be old.

import { pause } from "./again.js";

const LONGEST = 15_000; // milliseconds
const LOST = 2; // failures in a row: one may be a hiccup

const banner = document.getElementById("lost");
const failing = new Set();

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Resolves once somebody can see the page.
/** @type {() => Promise<void>} */
const visible = () =>
  new Promise((resolve) => {
    if (document.hidden) document.addEventListener("visibilitychange", () => resolve(), { once: true });
    else resolve();
  });

// Ask now and again; `every`: the milliseconds between an answer and the next question, `first`: until the first one.
/** @type {(ask: () => Promise<unknown>, every: () => number, first?: number) => Promise<never>} */
export async function repeat(ask, every, first = every()) {
  const me = {};
  let failures = 0;
  for (let wait = first; ; wait = Math.max(every(), failures && pause(failures, LONGEST))) {
    await sleep(wait);
    await visible();
    failures = await ask().then(
      () => 0,
      () => failures + 1,
    );
    if (failures < LOST) failing.delete(me);
    else failing.add(me);
    if (banner) banner.hidden = !failing.size;
  }
}
