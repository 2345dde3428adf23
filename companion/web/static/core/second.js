// The second tap of a double tap: something else may lie under the finger by then, of the next player perhaps.

const NEAR = 30; // pixels
const SOON = 350; // milliseconds

export const second = { is: false, ofAnother: false };

let last = { timeStamp: -Infinity, clientX: 0, clientY: 0, act: "" };

// What a tap would do.
function actOf(target) {
  const tapped = target.closest?.("[data-command], [data-sheet], button");
  return tapped ? (tapped.dataset.command ?? tapped.dataset.sheet ?? tapped.form?.dataset.send ?? "") : "";
}

export function watchTaps() {
  document.addEventListener(
    "click",
    ({ target, detail, pointerType, timeStamp, clientX, clientY }) => {
      const near = Math.hypot(clientX - last.clientX, clientY - last.clientY) < NEAR;
      const act = actOf(target);
      second.is = detail > 1 || (pointerType === "touch" && near && timeStamp - last.timeStamp < SOON);
      second.ofAnother = second.is && act !== last.act;
      last = { timeStamp, clientX, clientY, act };
    },
    true,
  );
  // A key that is kept down taps again and again.
  document.addEventListener(
    "keydown",
    (event) => {
      const { target, repeat, key } = event;
      if (repeat && key === "Enter" && target.closest?.("[data-command], [data-answer], [data-agree], form[data-send]"))
        event.preventDefault();
    },
    true,
  );
}
