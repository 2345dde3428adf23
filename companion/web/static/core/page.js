// What every living page shares: fetching its parts anew until they have come, and the banner.

import { pause, waiting } from "./again.js";
import { untouched } from "./finger.js";
import { get, leave } from "./http.js";
import { late, surely } from "./late.js";
import { children, land, morph } from "./morph.js";
import { follow } from "./live.js";
import { notice, settle } from "./touched.js";

const PART = 5_000; // milliseconds: the most that a part of the page may take
const OLD = 2_500; // milliseconds until the page says that it shows something old

const page = document.getElementById("page");
export const table = page.dataset.table;
export const said = page.dataset;
export const state = () => document.getElementById("state");
export const version = () => Number(state().dataset.version);

let newest = 0; // the newest version that was heard of
let drawn = 0; // how often the page was drawn anew

// An answer that stays: the page is somebody else's now, or gone.  Not so 408 and 429.
class Final extends Error {}

// Whether another version of the program answers than the one that this page came from.
const isOther = ({ headers }) => said.program && ![null, said.program].includes(headers.get("X-Program"));

export async function part(name, more = {}) {
  // Of several processes the one that answers may not have heard of the newest version yet.
  const query = new URLSearchParams({ part: name, ...(newest ? { at: String(newest) } : {}), ...more });
  const answer = await get(`/tables/${table}/live?${query}`, { patience: PART });
  if (answer.redirected && new URL(answer.url).pathname === "/login") {
    leave(`/login?next=${encodeURIComponent(location.pathname)}`); // not to the part
    throw new Final("login");
  }
  if (answer.status >= 400 && answer.status < 500 && ![408, 429].includes(answer.status))
    throw new Final(String(answer.status));
  if (!answer.ok) throw new Error(String(answer.status));
  if (isOther(answer))
    late("./renewed.js")
      .then(({ renew }) => renew())
      .catch(() => {});
  return answer.text();
}

// What the banner says: contact is lost, or what is shown may be old, or no stream comes through.
const banner = document.getElementById("banner");
const now = { lost: false, old: 0, polls: false };

function tell() {
  const kind = now.lost ? "lost" : now.old ? "old" : now.polls ? "polls" : "";
  if ("stays" in banner.dataset) return;
  if (kind) {
    banner.dataset.kind = kind;
    for (const words of banner.querySelectorAll("[data-when]")) words.hidden = words.dataset.when !== kind;
  }
  banner.hidden = !kind;
  document.body.classList.toggle("old", kind === "old");
}

const pauses = waiting();

// Carry out what brings the page up to date until it has worked, or for some time; the banner says so if it takes long.
export async function persist(act, within = Infinity) {
  const end = Date.now() + within;
  let old = 0;
  const late = setTimeout(() => {
    old = 1;
    now.old += 1;
    tell();
  }, OLD);
  try {
    for (let tries = 0; ; tries += 1) {
      try {
        return await act();
      } catch (fault) {
        if (fault instanceof Final || Date.now() > end) throw fault;
      }
      await pauses.wait(pause(tries));
    }
  } finally {
    clearTimeout(late);
    now.old -= old;
    tell();
  }
}

// One fetch at a time; a change meanwhile leads to one more.
export function keptUp(fetchAnew) {
  let running = null;
  let again = false;
  const run = () => {
    again = Boolean(running);
    running ??= (async () => {
      do {
        again = false;
        await persist(fetchAnew);
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

// The page is somebody else's now, or gone: loaded again, it says where to go from here.
function lead(fault) {
  if (fault instanceof Final && ["403", "404"].includes(fault.message)) leave();
  throw fault;
}

export const refresh = keptUp(async () => {
  const html = await part(page.dataset.part).catch(lead);
  await untouched();
  morph(document.getElementById("live"), html);
  drawn += 1;
  // The code of another seat was scanned on this phone: its page is another one.
  if (page.dataset.part === "seat" && page.dataset.seat !== state().dataset.seat) leave();
  document.dispatchEvent(new CustomEvent("table:shown"));
  if (version() < newest) throw new Error("old");
});

// Show a version that is there, unless a fetch on its way brings it.
export async function reach(wanted) {
  newest = Math.max(newest, wanted);
  if (version() >= wanted) return;
  await refresh.current();
  if (version() < wanted) await refresh();
}

// Bring some places up to date and leave what was chosen elsewhere.
const glances = keptUp(async () => {
  const fresh = document.createElement("template");
  const before = drawn;
  fresh.innerHTML = await part("glance");
  await untouched();
  if (drawn !== before) throw new Error("old");
  const focused = document.activeElement;
  for (const wanted of fresh.content.children) {
    const place = document.getElementById(wanted.id);
    if (!place) continue;
    children(place, wanted);
    settle(place);
  }
  if (!focused.isConnected) land(document.getElementById("live"));
});
export const glance = () => (refresh.busy() ? refresh() : glances());

function contact(there) {
  if (there === null) return; // a first hiccup: the next try tells
  const wasLost = now.lost;
  now.lost = !there;
  document.body.classList.toggle("lost", !there);
  tell();
  if (!there || !wasLost) return;
  pauses.cut();
  newest = 0; // somebody may have put an older backup in place meanwhile
  refresh().catch(() => {});
  document.dispatchEvent(new CustomEvent("table:back"));
}

export const lost = () => now.lost;

let streamed = 0;

function heard(latest) {
  // A table that has become shorter is another one, out of a backup.
  if (latest < streamed) {
    newest = latest;
    refresh().catch(() => {});
  }
  streamed = latest;
  return reach(latest);
}

const line = follow(table, page.dataset.viewer, {
  onVersion: (latest) => {
    heard(Number(latest)).catch(() => {});
  },
  onSight: (sighting) => {
    page.sight = sighting;
    // Phones, screens and hosts go along to the next game.
    if (!("stays" in page.dataset) && JSON.parse(sighting).next) leave(`/tables/${table}/next`);
    document.dispatchEvent(new CustomEvent("table:sight", { detail: sighting }));
  },
  onContact: contact,
  onPolls: (polls) => {
    now.polls = polls;
    tell();
  },
});
notice();
setTimeout(() => surely("/static/core/awake.js"), 2_000);
addEventListener("online", pauses.cut);
// Where a connection is trusted, a page without contact can say so even when it is opened anew.
if (isSecureContext) navigator.serviceWorker?.register("/service_worker.js").catch(() => {});
document.getElementById("try-now")?.addEventListener("click", () => {
  pauses.cut();
  line.now();
});
