// The big screen before a game: names appear as they are typed, and the table as soon as it has begun.

import { get, leave } from "../core/http.js";
import { children } from "../core/morph.js";

const EVERY_MS = 1_000;
const shown = document.getElementById("lobby-screen");

async function look() {
  const answer = await get(`${location.pathname}?part=lobby`, { patience: 4 * EVERY_MS });
  if (answer.redirected || answer.status === 409) leave();
  else if (answer.ok) {
    const fresh = document.createElement("template");
    fresh.innerHTML = await answer.text();
    children(shown, fresh.content);
  }
}

// One question after the other; a network that fails now may not in a second.
function again() {
  look()
    .catch(() => {})
    .finally(() => setTimeout(again, EVERY_MS));
}
setTimeout(again, EVERY_MS);
