// Light or dark: the device decides until somebody chooses; the choice is kept in a cookie.

import { keep } from "./cookies.js";

export function toggle() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  keep("theme", root.dataset.theme);
  for (const link of document.querySelectorAll("link[data-dark]")) link.media = dark ? "not all" : "all";
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-toggle]")) toggle();
});
