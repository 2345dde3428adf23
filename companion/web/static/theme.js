// Light or dark: the device decides until somebody chooses; the choice is kept in a cookie.

export function toggle() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-theme-toggle]")) toggle();
});
