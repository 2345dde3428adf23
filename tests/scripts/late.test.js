// Modules that come late.

import assert from "node:assert/strict";
import { test } from "node:test";
import { late } from "../../companion/web/static/core/late.js";

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
