// *Back* closes what lies over the page, before it leaves the page: each device's own way to say *not this*.  One entry
// of the history stands for the open sheet; it stays when the sheet is closed otherwise, and is used by the next one.

const topmost = () => [...document.querySelectorAll("dialog[open]")].at(-1);
const isCover = () => Boolean(history.state?.covers);
let covered = isCover();

function cover() {
  if (!isCover()) history.pushState({ covers: true }, "");
  covered = true;
}

addEventListener("popstate", () => {
  const before = covered;
  covered = isCover();
  if (covered || !before) return; // forward again, where there is nothing to open, or elsewhere on the page
  const dialog = topmost();
  if (!dialog) {
    history.back(); // the entry was left over by a sheet that was closed otherwise
    return;
  }
  dialog.close();
  if (topmost()) cover();
});

// Whatever opens a dialog, and whenever.
new MutationObserver(() => {
  if (topmost()) cover();
}).observe(document.body, {
  subtree: true,
  attributes: true,
  attributeFilter: ["open"],
});

export {};
