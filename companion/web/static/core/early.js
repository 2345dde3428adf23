// What is tapped before the page's modules have arrived waits for them: the last tap, once.  No module, so that it
// runs before anything can be seen.
(() => {
  let waiting = null;

  const keep = (event) => {
    const tapped = event.type === "submit" ? event.target : event.target.closest("button, [role=button]");
    if (!tapped) return;
    event.preventDefault();
    if (tapped.id === "try-now") location.reload();
    waiting = event.type === "submit" ? () => tapped.requestSubmit(event.submitter) : () => tapped.click();
  };
  // Without a banner the page is loaded again once somebody answers.
  const [FIRST, LONGEST, LIMIT] = [2000, 10000, 3000]; // milliseconds
  let tries = 0;
  const later = () => {
    setTimeout(again, Math.min(LONGEST, FIRST * 1.5 ** tries) * (0.5 + Math.random()));
    tries += 1;
  };
  const again = () =>
    fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout?.(LIMIT) }).then(
      ({ ok }) => (ok ? location.reload() : later()),
      later,
    );
  const failed = (event) => {
    const { tagName, src } = event.target;
    if (tagName !== "SCRIPT" || !src.startsWith(location.origin)) return;
    const banner = document.getElementById("banner");
    if (!banner) {
      if (tries === 0) later();
      return;
    }
    banner.hidden = false;
    banner.dataset.stays = ""; // contact alone does not bring the program back
  };
  const ready = () => {
    document.removeEventListener("click", keep);
    document.removeEventListener("submit", keep);
    window.removeEventListener("error", failed, true);
    waiting?.();
  };

  document.addEventListener("click", keep);
  document.addEventListener("submit", keep);
  window.addEventListener("error", failed, true);
  document.addEventListener("page:ready", ready, { once: true });
})();
