// Without contact, a page that says so.  Nothing else is ever kept: figures come from the companion or not at all.

const SHELF = "no-contact-1";
const PAGE = "/no-contact";
const KEPT = [
  PAGE,
  ...["tokens.css", "parts.css", "no_contact.css", "no_contact.js", "icon.svg"].map((name) => `/static/${name}`),
];

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(SHELF)
      .then((shelf) => shelf.addAll(KEPT))
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
  } else if (KEPT.includes(path)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(path)));
  }
});
