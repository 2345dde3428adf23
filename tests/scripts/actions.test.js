// What a tap does.

import assert from "node:assert/strict";
import { test } from "node:test";
import { on, tap } from "../../companion/web/static/core/actions.js";

const within = (...places) => ({ target: { closest: (selector) => places.find((place) => place === selector) } });

test("the first action whose place was tapped is carried out, and no other", () => {
  const done = [];
  on("[data-close]", (found) => done.push(`close ${found}`));
  on("[data-sheet]", (found) => done.push(`sheet ${found}`));

  tap(within("[data-sheet]", "[data-close]"));
  tap(within("[data-sheet]"));

  assert.deepEqual(done, ["close [data-close]", "sheet [data-sheet]"]);
});

test("a tap on nothing does nothing", () => {
  assert.equal(tap(within()), undefined);
});
