// The big screen before a game: names appear as they are typed, and the table as soon as it has begun.

import { get, leave } from "../core/http.js";
import { children } from "../core/morph.js";
import { repeat } from "../core/repeat.js";

const EVERY_MS = 1_000;
const shown = document.getElementById("lobby-screen");

async function poll() {
  const answer = await get(`${location.pathname}?part=lobby`, { patience: 4 * EVERY_MS });
  if (answer.redirected || answer.status === 409) {
    leave();
    return;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(shown, fresh.content);
}

repeat(poll, () => EVERY_MS);
document.dispatchEvent(new Event("page:ready"));
