// Modules that come late.  Browsers may remember that one could not be fetched, so it is asked for under another
// address the next time.

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

const AGAIN = 3_000; // milliseconds

// One that is needed, and that nobody asks for by a tap: fetched until it has come.
export const surely = (address) =>
  late(address).catch(() => new Promise((done) => setTimeout(done, AGAIN)).then(() => surely(address)));
