// Without contact, a page that says so.  Nothing else is ever kept: figures come from the companion or not at all.

const CACHE = "no-contact-3";
const PAGE = "/no-contact";

// What it wears: of the house, and of the game that it shows.
const WORN = new Set(["tokens.css", "dark.css", "parts.css", "no_contact.css", "no_contact.js", "icon.svg"]);
const isTypeface = (path) => path.startsWith("/typefaces/");
const isWorn = (path) => isTypeface(path) || (/^\/(static|games)\//.test(path) && WORN.has(path.split("/").pop()));

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

// Named by the style sheet, relative to it.
async function typefaces(sheet) {
  const rules = await (await within(sheet)).text();
  const named = [...rules.matchAll(/url\("([^"]+\.woff2)"\)/g)];
  return named.map(([, address]) => new URL(address, new URL(sheet, location.href)).pathname);
}

async function kept() {
  const page = await (await within(PAGE)).text();
  const links = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address).filter(isWorn);
  return [PAGE, ...new Set([...links, ...(await typefaces(links.find((address) => address.endsWith("tokens.css"))))])];
}

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then(async (cache) => cache.addAll(await kept()))
      .then(() => skipWaiting()),
  );
});

addEventListener("activate", (event) => {
  const old = caches
    .keys()
    .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))));
  event.waitUntil(old.then(() => clients.claim()));
});

// Whoever chooses another language reads it without contact too.
async function page(event) {
  const answer = await within(event.request);
  if (new URL(event.request.url).searchParams.has("lang"))
    event.waitUntil(
      caches
        .open(CACHE)
        .then((cache) => cache.add(PAGE))
        .catch(() => {}),
    );
  return answer;
}

addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate" && event.request.method === "GET") {
    event.respondWith(page(event).catch(() => caches.match(PAGE)));
  } else if (isWorn(path)) {
    event.respondWith(within(event.request).catch(async () => (await caches.match(path)) ?? Response.error()));
  }
});
