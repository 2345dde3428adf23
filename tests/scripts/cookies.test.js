// What a device keeps.

import assert from "node:assert/strict";
import { test } from "node:test";
import { keep, kept } from "../../companion/web/static/core/cookies.js";

test("a choice is found among others, and only as it is", () => {
  globalThis.document = { cookie: "theme=dark; sounds=1; notes-t1=0" };

  assert.equal(kept("sounds"), true);
  assert.equal(kept("speech"), false);
  assert.equal(kept("ounds"), false);
  assert.equal(kept("theme", "dark"), true);
});

test("a choice is kept for a year, for every page", () => {
  globalThis.document = { cookie: "" };

  keep("sounds", 1);

  assert.equal(document.cookie, "sounds=1; path=/; max-age=31536000; samesite=lax");
});
