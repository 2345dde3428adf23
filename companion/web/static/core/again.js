// Waiting before something is tried again: longer each time, and not the same time on every screen, for all of them
// lost contact at the same moment.

const FIRST = 300; // milliseconds
const LONGEST = 5_000;

export const pause = (tries, longest = LONGEST) => Math.min(longest, FIRST * 2 ** tries) * (0.5 + Math.random() / 2);

// What is awaited, or a failure after some milliseconds.
export const within = (coming, ms) =>
  new Promise((done, fail) => {
    const limit = setTimeout(fail, ms, new Error("late"));
    coming.finally(() => clearTimeout(limit)).then(done, fail);
  });

// Waits that can be cut short: there is news that the next try may work.
export function waiting() {
  const waits = new Set();
  return {
    wait: (ms) =>
      new Promise((done) => {
        const over = () => {
          clearTimeout(timer);
          waits.delete(over);
          done(undefined);
        };
        const timer = setTimeout(over, ms);
        waits.add(over);
      }),
    cut: () => waits.forEach((over) => over()),
  };
}
