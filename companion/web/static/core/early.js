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
  const AGAIN = 3000; // milliseconds
  let asks = false;
  const later = () => setTimeout(again, AGAIN * (0.5 + Math.random()));
  const again = () =>
    fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout?.(AGAIN) }).then(
      ({ ok }) => (ok ? location.reload() : later()),
      later,
    );
  const failed = (event) => {
    const { tagName, src } = event.target;
    if (tagName !== "SCRIPT" || !src.startsWith(location.origin)) return;
    const banner = document.getElementById("banner");
    if (!banner) {
      if (!asks) later();
      asks = true;
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
