// Without contact, a page that says so.  Nothing else is ever kept: figures come from the companion or not at all.

const SHELF = "no-contact-2";
const PAGE = "/no-contact";

// The page, and whatever it wears: the house's style sheets and those of the game that it shows.
async function kept() {
  const page = await (await fetch(PAGE)).text();
  const worn = [...page.matchAll(/(?:href|src)="(\/(?:static|games)\/[^"]+)"/g)].map(([, address]) => address);
  return [PAGE, ...new Set(worn)];
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
    event.respondWith(fetch(event.request).catch(() => caches.match(PAGE)));
  } else if (path.startsWith("/static/") || path.startsWith("/games/")) {
    const request = event.request;
    event.respondWith(fetch(request).catch(async () => (await caches.match(path)) ?? Response.error()));
  }
});
