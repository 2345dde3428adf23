// Modules that come late.  Browsers may remember that one could not be fetched: the next time it has another address.

import { pause, within } from "./again.js";

const PATIENCE = 5_000; // milliseconds that somebody waits for one
const LOST = 30_000; // after which it is asked for anew: one that is only slow must not begin twice

const modules = new Map();

export function late(address) {
  const entry = modules.get(address) || { tries: 0, coming: null };
  modules.set(address, entry);
  entry.coming ||= within(import(entry.tries ? `${address}?again=${entry.tries}` : address), LOST).catch((fault) => {
    entry.coming = null;
    entry.tries += 1;
    throw fault;
  });
  return within(entry.coming, PATIENCE);
}

// One that is needed without a tap: fetched until it has come.
export const surely = (address, tries = 0) =>
  late(address).catch(() =>
    new Promise((done) => setTimeout(done, pause(tries))).then(() => surely(address, tries + 1)),
  );
