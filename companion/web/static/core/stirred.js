// In a hall the stream comes from a gateway, which tells versions, and of all else only that it has changed: the app is
// asked what.  Pages that come back all at once do so at moments of their own.

const AGAIN = 3_000; // milliseconds

export function ask(data, read) {
  const soon = () => read().catch(({ name }) => name === "AbortError" || setTimeout(soon, AGAIN));
  setTimeout(soon, Math.random() * JSON.parse(data).within);
}
