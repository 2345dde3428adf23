// Tables of an event are opened a second's worth at a time: asked again until all are, with how far it is.

import { post } from "../core/http.js";

const PATIENCE = 20_000; // milliseconds

function show(place, { opened, tables }) {
  place.hidden = false;
  const bar = place.querySelector("progress");
  bar.max = tables;
  bar.value = opened;
  const said = place.querySelector("[data-template]");
  said.textContent = said.dataset.template.replace("{opened}", opened).replace("{tables}", tables);
}

/** @type {(progress: {id: string, opened: number, tables: number}, place: HTMLElement) => Promise<void>} */
export async function opened(progress, place) {
  let now = progress;
  show(place, now);
  while (now.opened < now.tables) {
    // each request stands on the one before
    const answer = await post(`/api/v1/events/${now.id}/open`, {}, { patience: PATIENCE });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.detail);
    now = body;
    show(place, now);
  }
}
