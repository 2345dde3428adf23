// In a hall the stream comes from a gateway, which tells versions, and of all else only that it has changed: the app is
// asked what.  Pages that come back all at once do so at moments of their own.

import { pause } from "./again.js";

export function ask(data, read) {
  let tries = 0;
  const later = () => setTimeout(soon, pause(tries++));
  const soon = () => read().catch(({ name }) => name === "AbortError" || later());
  setTimeout(soon, Math.random() * JSON.parse(data).within);
}
