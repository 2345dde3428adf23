// Modules that come late.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { late, surely } from "../../companion/web/static/core/late.js";

test("a module is fetched once", async () => {
  assert.equal(await late("./cookies.js"), await late("./cookies.js"));
});

test("one that could not be fetched is asked for under another address", async () => {
  const asked = [];
  for (let times = 0; times < 3; times += 1) await late("./nowhere.js").catch((fault) => asked.push(String(fault)));

  assert.equal(asked.length, 3);
  assert.match(asked[0], /nowhere\.js/);
  assert.match(asked[1], /nowhere\.js/);
});

test("one that is needed is fetched until it has come", async (context) => {
  // given a module that is not there, and is asked for
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = mkdtempSync(join(tmpdir(), "late-"));
  const file = join(folder, "needed.js");
  const coming = surely(pathToFileURL(file).href);
  for (let times = 0; times < 50; times += 1) await new Promise(setImmediate);

  // when it is there a moment later, then it comes
  writeFileSync(file, "export const is = true;");
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  for (let times = 0; times < 50; times += 1) {
    context.mock.timers.tick(400);
    await new Promise(setImmediate);
  }
  assert.equal((await coming).is, true);
  rmSync(folder, { recursive: true });
});

test("one that never comes fails for whoever waits, and is asked for again once it is lost", async (context) => {
  // given a module whose loading hangs
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const hanging = `data:text/javascript,await new Promise(() => {}); export const is = ${Math.random()};`;
  const faults = [];
  const wait = async () => {
    late(hanging).catch((fault) => faults.push(fault.message));
    context.mock.timers.tick(5_000);
    for (let times = 0; times < 50; times += 1) await new Promise(setImmediate);
  };

  // when it is waited for once and again
  for (let times = 0; times < 7; times += 1) await wait();

  // then each time ends
  assert.deepEqual(faults, Array(7).fill("late"));
});
