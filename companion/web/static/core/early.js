// What is tapped before the page's modules have arrived waits for them: the last tap, once.  No module, so that it
// runs before anything can be seen.
(() => {
  let waiting = null;

  const keep = (event) => {
    const tapped = event.type === "submit" ? event.target : event.target.closest("button, [role=button]");
    if (!tapped) return;
    event.preventDefault();
    if (tapped.id === "try-now") location.reload();
    const { submitter } = event;
    waiting =
      event.type !== "submit" || (submitter && !tapped.requestSubmit)
        ? () => (submitter || tapped).click()
        : () => tapped.requestSubmit(submitter);
  };
  // Without a banner the page is loaded again once somebody answers.
  const [FIRST, LONGEST, LIMIT, SILENCE] = [2000, 10000, 3000, 8000]; // milliseconds
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
    const banner = show();
    // Nobody taps on a television.
    if ((!banner || document.body.matches(".display-page")) && tries === 0) later();
    if (banner) banner.dataset.stays = ""; // contact alone does not bring the program back
  };
  const show = () => {
    const banner = document.getElementById("banner");
    if (banner) banner.hidden = false;
    return banner;
  };
  let isSilent = false;
  const silent = setTimeout(() => {
    isSilent = true;
    show();
  }, SILENCE);
  const ready = () => {
    clearTimeout(silent);
    document.removeEventListener("click", keep);
    document.removeEventListener("submit", keep);
    const banner = document.getElementById("banner");
    if (isSilent && banner && !("stays" in banner.dataset)) banner.hidden = true;
    waiting?.();
  };

  document.addEventListener("click", keep);
  document.addEventListener("submit", keep);
  window.addEventListener("error", failed, true);
  document.addEventListener("page:ready", ready, { once: true });
  // Gone back to: what it showed is old, and what it sent was answered.
  window.addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
})();
