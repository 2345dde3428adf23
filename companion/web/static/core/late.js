// Modules that come late.  Browsers may remember that one could not be fetched: the next time it has another address.

import { pause } from "./again.js";

const known = new Map();

export function late(address) {
  const one = known.get(address) || { tries: 0, coming: null };
  known.set(address, one);
  one.coming ||= import(one.tries ? `${address}?again=${one.tries}` : address).catch((fault) => {
    one.coming = null;
    one.tries += 1;
    throw fault;
  });
  return one.coming;
}

// One that is needed without a tap: fetched until it has come.
export const surely = (address, tries = 0) =>
  late(address).catch(() =>
    new Promise((done) => setTimeout(done, pause(tries))).then(() => surely(address, tries + 1)),
  );
