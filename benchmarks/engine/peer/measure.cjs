// Play the same commands through boardgame.io's client and through its server's master; print microseconds a move.
//   node measure.cjs GAMES < commands.json
const { readFileSync } = require('node:fs');
const { Client } = require('boardgame.io/client');
const { Master } = require('boardgame.io/master');
const { InitializeGame, ProcessGameConfig } = require('boardgame.io/internal');
const { Hammer } = require('./hammer.cjs');

const games = Number(process.argv[2]);
const commands = JSON.parse(readFileSync(0, 'utf8'));
const SEATS = 4;
const CHUNK = 100;

const argumentsOf = ({ do: verb, lot, bid, amount }) =>
  verb === 'openAuction' ? [lot, bid] : verb === 'bid' ? [amount] : [];
const action = ({ do: verb, player, ...rest }) => ({
  type: 'MAKE_MOVE',
  payload: { type: verb, args: argumentsOf({ do: verb, ...rest }), playerID: player, credentials: undefined },
});

/** Take the quicker of the clock on the wall and the processor's: other programs on the machine count for nothing. */
function stopwatch() {
  const [wall, cpu] = [process.hrtime.bigint(), process.cpuUsage()];
  return () => {
    const spent = process.cpuUsage(cpu);
    return Math.min(Number(process.hrtime.bigint() - wall) / 1e3, spent.user + spent.system);
  };
}

const hundreds = Array.from({ length: commands.length / CHUNK }, (_, number) =>
  commands.slice(number * CHUNK, (number + 1) * CHUNK)
);
const keep = (best, place, us) => {
  best[place] = Math.min(best[place] ?? Infinity, us / CHUNK);
};

function throughClient(best) {
  const client = Client({ game: Hammer, numPlayers: SEATS, debug: false });
  hundreds.forEach((chunk, place) => {
    const stop = stopwatch();
    for (const command of chunk) client.store.dispatch(action(command));
    keep(best, place, stop());
  });
  return client.getState();
}

/** The server's storage in memory, as boardgame.io's own InMemory keeps it. */
class Storage {
  constructor(state) {
    this.state = state;
    this.metadata = { players: {} };
    this.log = [];
  }
  type() {
    return 0; // synchronous
  }
  fetch(_match, wanted) {
    return { ...(wanted.state && { state: this.state }), ...(wanted.metadata && { metadata: this.metadata }) };
  }
  setState(_match, state, deltalog) {
    this.log = [...this.log, ...deltalog];
    this.state = state;
  }
  setMetadata(_match, metadata) {
    this.metadata = metadata;
  }
}

async function throughMaster(best) {
  const game = ProcessGameConfig(Hammer);
  const storage = new Storage(InitializeGame({ game, numPlayers: SEATS }));
  const master = new Master(game, storage, { sendAll: () => {}, send: () => {} });
  for (const [place, chunk] of hundreds.entries()) {
    const stop = stopwatch();
    for (const command of chunk) {
      await master.onUpdate(action(command), storage.state._stateID, 'match', command.player);
    }
    keep(best, place, stop());
  }
  return storage.state;
}

const mean = (values) => values.reduce((sum, one) => sum + one, 0) / values.length;

async function main() {
  const [client, master] = [[], []];
  let ended;
  for (let game = 0; game < games; game++) {
    ended = [throughClient(client), await throughMaster(master)];
  }
  const [byClient, byMaster] = ended.map(({ G }) => ({
    sold: G.sold,
    cash: Object.values(G.players).map((one) => one.cash),
  }));
  const answer = { node: process.version, client: mean(client), master: mean(master) };
  console.log(JSON.stringify({ ...answer, end: { client: byClient, master: byMaster } }));
}

main();
