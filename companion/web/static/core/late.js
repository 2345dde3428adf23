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
