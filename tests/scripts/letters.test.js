// Names as people read them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { filled, initials } from "../../companion/web/static/lobby/letters.js";

test("a badge shows one whole letter, and two where one would not tell two players apart", () => {
  assert.deepEqual(initials(["🦊 Ada", "Ben", "Bo", "éva"]), ["🦊", "Be", "Bo", "É"]);
  assert.deepEqual(initials(["🇫🇷🇩🇪", "🇫🇷🇮🇹", "A", "Anna"]), ["🇫🇷🇩🇪", "🇫🇷🇮🇹", "A", "An"]);
});

test("a name stands in a sentence as it was written", () => {
  for (const name of ["A$$AP", "$&", "$`", "{of}"])
    assert.equal(filled("{name} plays the red", "{name}", name), `${name} plays the red`);
});
