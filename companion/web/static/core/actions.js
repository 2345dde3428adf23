// What a tap does, by what was tapped: the first action whose place holds the target is carried out, and no other.

const actions = [];

// `selector`: where to tap; `act` is called with the element that was found there, and the event.
export const on = (selector, act) => actions.push([selector, act]);

export function tap(event) {
  for (const [selector, act] of actions) {
    const match = event.target.closest(selector);
    if (match) return act(match, event);
  }
  return undefined;
}
