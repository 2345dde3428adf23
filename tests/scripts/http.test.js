// Requests as pages make them, against a real server.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, beforeEach, test } from "node:test";
import { get, post, randomKey } from "../../companion/web/static/core/http.js";

let server;
let address;
let asked = [];
let answer = () => {};

before(async () => {
  server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    asked.push({
      method: request.method,
      key: request.headers["idempotency-key"],
      type: request.headers["content-type"],
      body,
    });
    answer(request, response);
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  address = `http://127.0.0.1:${server.address().port}/`;
});
after(() => server.close());
beforeEach(() => {
  asked = [];
  answer = (_, response) => response.end("{}");
});

test("a request whose answer was lost is made again with the same key", async () => {
  answer = (request, response) => (asked.length === 1 ? request.socket.destroy() : response.end('{"seq": 3}'));

  const told = await (await post(address, { do: "pass" })).json();

  assert.deepEqual(told, { seq: 3 });
  assert.equal(asked.length, 2);
  assert.equal(asked[0].key, asked[1].key);
  assert.equal(asked[1].body, '{"do":"pass"}');
});

test("a refusal is an answer: nothing is made again", async () => {
  answer = (_, response) => {
    response.statusCode = 422;
    response.end("{}");
  };

  assert.equal((await post(address, {})).status, 422);
  assert.equal(asked.length, 1);
});

test("two requests have two keys", async () => {
  await post(address, {});
  await post(address, {});

  assert.notEqual(asked[0].key, asked[1].key);
  assert.match(randomKey(), /^[0-9a-f]{32}$/);
});

test("a play file is sent as it is", async () => {
  await post(address, '{"do": "start_game"}\n', { type: "application/jsonl" });

  assert.deepEqual([asked[0].type, asked[0].body], ["application/jsonl", '{"do": "start_game"}\n']);
});

test("who is no longer logged in is asked who he is, and comes back", async () => {
  const went = [];
  globalThis.location = { pathname: "/take-over", search: "?game=stones", assign: (there) => went.push(there) };
  answer = (_, response) => {
    response.statusCode = 401;
    response.end("{}");
  };

  await get(address);

  assert.deepEqual(went, ["/login?next=%2Ftake-over%3Fgame%3Dstones"]);
});
