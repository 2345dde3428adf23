// Without contact, a page that says so.  Nothing else is ever kept: figures come from the companion or not at all.

const SHELF = "no-contact-2";
const PAGE = "/no-contact";

// What it wears: of the house, and of the game that it shows.
const WORN = new Set(["tokens.css", "dark.css", "parts.css", "no_contact.css", "no_contact.js", "icon.svg"]);
const isWorn = (path) => /^\/(static|games)\//.test(path) && WORN.has(path.split("/").pop());

const PATIENCE = 20_000; // milliseconds for a page that does not come

// The limit ends with the first bytes: a long answer may take its time.
async function within(request) {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), PATIENCE);
  try {
    return await fetch(request, { signal: limit.signal });
  } finally {
    clearTimeout(timer);
  }
}

async function kept() {
  const page = await (await within(PAGE)).text();
  const found = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  return [PAGE, ...new Set(found.filter(isWorn))];
}

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELF)
      .then(async (shelf) => shelf.addAll(await kept()))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});

addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    event.respondWith(within(event.request).catch(() => caches.match(PAGE)));
  } else if (isWorn(path)) {
    event.respondWith(within(event.request).catch(async () => (await caches.match(path)) ?? Response.error()));
  }
});
