// Keep the screen from going dark while the table is on it.  The page says how it stands: data-awake is on, http or no.

const root = document.documentElement;
let lock = null;

async function hold() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    root.dataset.awake = "on";
    lock.addEventListener("release", () => (root.dataset.awake = "no"));
  } catch {
    root.dataset.awake = "no"; // the battery is low, or the device does not wish to
  }
}

if (!isSecureContext) root.dataset.awake = "http";
else if (!("wakeLock" in navigator)) root.dataset.awake = "no";
else {
  hold();
  document.addEventListener("visibilitychange", hold);
  document.addEventListener("click", hold);
}
