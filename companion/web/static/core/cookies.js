// What this device alone keeps: small choices, for a year.

const YEAR = 31_536_000; // seconds

export const kept = (name, value = "1") => document.cookie.split("; ").includes(`${name}=${value}`);

export function keep(name, value) {
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore needs a secure page, which a table's own network has not
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR}; samesite=lax`;
}
