// What every living page shares: fetching its parts anew, the banner, light and dark.

import { children, morph } from "./morph.js";
import { follow } from "./live.js";
import "./awake.js";

const page = document.getElementById("page");
export const table = page.dataset.table;
export const said = page.dataset;
export const state = () => document.getElementById("state");
export const version = () => Number(state().dataset.version);

export async function part(name, more = {}) {
  const query = new URLSearchParams({ part: name, ...more });
  const answer = await fetch(`/tables/${table}/live?${query}`, { cache: "no-store" });
  if (answer.redirected && new URL(answer.url).pathname === "/login") location.assign(answer.url);
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.text();
}

// One fetch at a time; a change that comes meanwhile leads to one more, for its news may have missed the first.
function oneAtATime(fetchAnew) {
  let running = null;
  let again = false;
  const run = () => {
    again = Boolean(running);
    running ??= (async () => {
      do {
        again = false;
        await fetchAnew();
      } while (again);
    })().finally(() => {
      running = null;
    });
    return running;
  };
  run.busy = () => Boolean(running);
  run.current = () => running;
  return run;
}

export const refresh = oneAtATime(async () => {
  morph(document.getElementById("live"), await part(page.dataset.part));
  // The code of another seat was scanned on this phone: its page is another one.
  if (page.dataset.part === "seat" && page.dataset.seat !== state().dataset.seat) location.reload();
  document.dispatchEvent(new CustomEvent("table:shown"));
});

// Show a version that is known to be there.  A fetch that is on its way may bring it: then no other one is needed.
export async function reach(wanted) {
  if (version() >= wanted) return;
  await refresh.current();
  if (version() < wanted) await refresh();
}

// Bring some places up to date and leave the rest alone: what was chosen elsewhere on the page is not done with.
const glances = oneAtATime(async () => {
  const fresh = document.createElement("template");
  fresh.innerHTML = await part("glance");
  for (const wanted of fresh.content.children) {
    const place = document.getElementById(wanted.id);
    if (place) children(place, wanted);
  }
});
export const glance = () => (refresh.busy() ? refresh() : glances());

const banner = document.getElementById("banner");

function contact(there) {
  const wasLost = document.body.classList.contains("lost");
  if (there === null) return; // a first hiccup: the next try tells
  banner.hidden = there && !("stays" in banner.dataset);
  document.body.classList.toggle("lost", !there);
  if (there && wasLost) {
    refresh().catch(() => {});
    document.dispatchEvent(new CustomEvent("table:back"));
  }
}

export const lost = () => document.body.classList.contains("lost");

const line = follow(table, {
  onVersion: (latest) => {
    reach(Number(latest)).catch(() => {});
  },
  onSight: (sighting) => {
    page.sight = sighting;
    // Phones and screens go along to the next game; the banker went there by himself.
    if (page.dataset.part !== "tablet" && JSON.parse(sighting).next) location.assign(`/tables/${table}/next`);
    document.dispatchEvent(new CustomEvent("table:sight", { detail: sighting }));
  },
  onContact: contact,
});
// Where a connection is trusted, a page without contact can say so even when it is opened anew.
if (isSecureContext) navigator.serviceWorker?.register("/service_worker.js").catch(() => {});
document.getElementById("try-now")?.addEventListener("click", () => line.now());
