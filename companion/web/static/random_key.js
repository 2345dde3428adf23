// A key for a request, so that the same one sent twice counts once.  crypto.randomUUID needs a secure page; this
// does not.

export const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
