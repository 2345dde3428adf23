// Modules that come late.  Browsers may remember that one could not be fetched: the next time it has another address.

import { pause } from "./again.js";

const modules = new Map();

export function late(address) {
  const entry = modules.get(address) || { tries: 0, coming: null };
  modules.set(address, entry);
  entry.coming ||= import(entry.tries ? `${address}?again=${entry.tries}` : address).catch((fault) => {
    entry.coming = null;
    entry.tries += 1;
    throw fault;
  });
  return entry.coming;
}

// One that is needed without a tap: fetched until it has come.
export const surely = (address, tries = 0) =>
  late(address).catch(() =>
    new Promise((done) => setTimeout(done, pause(tries))).then(() => surely(address, tries + 1)),
  );
