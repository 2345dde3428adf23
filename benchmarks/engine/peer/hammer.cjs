// The auction of benchmarks/engine/hammer.py as a game of boardgame.io.
// Everybody may move at any time and the rules below say whose bid it is: cheaper for boardgame.io than ending a turn a bid.
const { INVALID_MOVE, ActivePlayers } = require('boardgame.io/core');

const THOUSAND = 1000;
const PURSE = 100 * THOUSAND;
const KEPT = 12;
const CARDS = 60;

const card = (number) => ({ id: `L${String(number).padStart(2, '0')}`, name: `Lot ${number}`, cost: 5 * THOUSAND });

function leftOf(G, player, among) {
  const from = G.seats.indexOf(player);
  for (let step = 1; step <= G.seats.length; step++) {
    const next = G.seats[(from + step) % G.seats.length];
    if (among.includes(next)) return next;
  }
  return null;
}

function nextToBid(G, player) {
  const next = leftOf(G, player, G.auction.stillIn);
  return next === G.auction.leader ? leftOf(G, next, G.auction.stillIn) : next;
}

function settle(G) {
  const { lot, bid, leader, stillIn } = G.auction;
  if (stillIn.length > 1) return;
  const won = G.players[leader];
  won.cash -= bid;
  G.bank += bid;
  won.lots = [...won.lots, lot].slice(-KEPT);
  for (const player of G.seats) {
    G.players[player].cash += G.dividend;
    G.bank -= G.dividend;
  }
  G.auction = null;
  G.sold += 1;
  G.chooser = leftOf(G, G.chooser, G.seats);
}

const wholeThousands = (amount) => Number.isInteger(amount) && amount > 0 && amount % THOUSAND === 0;

const moves = {
  openAuction({ G, playerID }, lot, bid) {
    const found = G.cards.find((one) => one.id === lot);
    if (G.auction || playerID !== G.chooser || !found) return INVALID_MOVE;
    if (!wholeThousands(bid) || bid < found.cost || bid > G.players[playerID].cash) return INVALID_MOVE;
    G.auction = { lot, bid, leader: playerID, stillIn: [...G.seats], toBid: null };
    G.auction.toBid = nextToBid(G, playerID);
  },
  bid({ G, playerID }, amount) {
    if (!G.auction || playerID !== G.auction.toBid || !wholeThousands(amount)) return INVALID_MOVE;
    if (amount <= G.auction.bid || amount > G.players[playerID].cash) return INVALID_MOVE;
    G.auction.bid = amount;
    G.auction.leader = playerID;
    G.auction.toBid = nextToBid(G, playerID);
  },
  pass({ G, playerID }) {
    if (!G.auction || playerID !== G.auction.toBid) return INVALID_MOVE;
    const next = nextToBid(G, playerID);
    G.auction.stillIn = G.auction.stillIn.filter((one) => one !== playerID);
    G.auction.toBid = G.auction.stillIn.length > 1 ? next : null;
    settle(G);
  },
};

module.exports.Hammer = {
  name: 'hammer',
  disableUndo: true, // it would keep a state a move, as no turn ends; a companion can always undo
  setup: ({ ctx }) => ({
    seats: ctx.playOrder,
    chooser: '0',
    players: Object.fromEntries(ctx.playOrder.map((id) => [id, { name: `Player ${id}`, cash: PURSE, lots: [] }])),
    cards: Array.from({ length: CARDS }, (_, number) => card(number)),
    bank: 0,
    dividend: 3 * THOUSAND,
    auction: null,
    sold: 0,
  }),
  turn: { activePlayers: ActivePlayers.ALL },
  moves,
};
