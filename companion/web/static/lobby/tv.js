// A television that waits to be let in: asked for every few seconds, also after the companion was away.

import { get, leave } from "../core/http.js";
import { children } from "../core/morph.js";
import { repeat } from "../core/repeat.js";

const BUSY = 503; // too many wait
const shown = document.querySelector("main");

async function poll() {
  const answer = await get(location.href);
  if (answer.redirected) {
    leave();
    return;
  }
  if (!answer.ok && answer.status !== BUSY) throw new Error(String(answer.status));
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  const main = fresh.content.querySelector("main");
  if (!main) throw new Error("no page");
  shown.dataset.every = main.dataset.every;
  children(shown, main);
}

repeat(poll, () => 1000 * Number(shown.dataset.every));
