// Names appear, and are taken, while somebody looks at them.

import { get, leave } from "../core/http.js";
import { children } from "../core/morph.js";
import { repeat } from "../core/repeat.js";

const EVERY_MS = 2_000;
const names = document.getElementById("names");

async function poll() {
  const answer = await get(`/who/${names.dataset.token}?part=names`, { patience: 2 * EVERY_MS });
  if (answer.redirected) {
    leave(answer.url);
    return;
  }
  if (!answer.ok) throw new Error(String(answer.status));
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  children(names, fresh.content);
}

// A second tap would come from a device without a name: the first one is not answered yet.
const ANSWERED = 10_000; // milliseconds
let sent = -Infinity;
document.addEventListener("submit", (event) => {
  if (performance.now() - sent < ANSWERED) event.preventDefault();
  else sent = performance.now();
});

repeat(poll, () => EVERY_MS);
document.dispatchEvent(new Event("page:ready"));
