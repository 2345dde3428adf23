// A picture of the camera, which comes in time or fails.

import { within } from "../core/again.js";

const PATIENCE = 8_000; // milliseconds

export async function load(picture, address) {
  picture.src = address;
  try {
    await within(picture.decode(), PATIENCE);
  } catch (fault) {
    picture.removeAttribute("src"); // what hangs holds one of few connections
    throw fault;
  }
}
