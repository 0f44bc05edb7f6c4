#!/usr/bin/env node
// The Riichi player `@kobalab/majiang-ai` (MIT licence) as an mjai bot: one message a line on standard input, one
// answer a line on standard output. Written against majiang-ai 1.0.13 and majiang-core 1.4.1.
//
//     npm ci --prefix benches/peers
//     paishan duel value majiang --ruleset riichi-tenhou --games 4 \
//         --bot 'majiang=node benches/peers/majiang_bot.js'
//
// majiang writes a tile as suit and rank (`m5`, red `m0`, east `z1`), `_` behind a drawn tile that is discarded and
// `*` behind the discard of riichi. A meld is a suit and its ranks; `-`, `=` or `+` follows the claimed tile and says
// that it came from the left, the opposite or the right player. Players are numbered from the dealer.
'use strict';

const readline = require('node:readline');
const Majiang = require('@kobalab/majiang-core');
const Ai = require('@kobalab/majiang-ai');

require('./majiang_distance.js');

const HONORS = 'ESWNPFC';
const SIDES = ['', '+', '=', '-'];

function toMajiang(pai) {
  if (HONORS.includes(pai)) return 'z' + (HONORS.indexOf(pai) + 1);
  return pai[1] + (pai.endsWith('r') ? 0 : pai[0]);
}

function toMjai(tile) {
  const [suit, rank] = tile;
  if (suit === 'z') return HONORS[rank - 1];
  return rank === '0' ? `5${suit}r` : rank + suit;
}

/** The tiles of a meld, the claimed or added one last. */
function tilesOf(meld) {
  const ranks = [...meld.slice(1).matchAll(/\d[-=+]?/g)].map(([rank]) => rank);
  const taken = ranks.findIndex((rank) => rank.length > 1);
  const isAdded = /[-=+]\d$/.test(meld) && /^.(\d)\1\1/.test(meld.replace(/0/g, '5'));
  if (taken >= 0 && !isAdded) ranks.push(...ranks.splice(taken, 1));
  return ranks.map((rank) => toMjai(meld[0] + rank[0]));
}

class Bot {
  startGame({ id, red_fives = ['5mr', '5pr', '5sr'] }) {
    this.me = id;
    this.player = null;
    const reds = { m: 0, p: 0, s: 0 };
    for (const tile of red_fives) reds[tile[1]] += 1;
    this.rule = Majiang.rule({ 赤牌: reds });
  }

  /** Seat of a player, counted from the dealer. */
  seat(actor) {
    return (actor - this.dealer + 4) % 4;
  }

  tell(message) {
    let answer;
    this.player.action(message, (reply) => { answer = reply; });
    return answer ?? {};
  }

  startKyoku({ bakaze, kyoku, honba, kyotaku, oya, scores, dora_marker, tehais }) {
    this.dealer = oya;
    this.riichi = null;
    this.isReplacement = false;
    this.pungs = new Map();
    if (!this.player) {
      this.player = new Ai();
      const first = (oya - (kyoku - 1) + 4) % 4;
      this.tell({ kaiju: { id: this.me, rule: this.rule, title: '', player: ['', '', '', ''], qijia: first } });
    }
    const seats = [0, 1, 2, 3].map((seat) => (oya + seat) % 4);
    this.tell({
      qipai: {
        zhuangfeng: HONORS.indexOf(bakaze),
        jushu: kyoku - 1,
        changbang: honba,
        lizhibang: kyotaku,
        defen: seats.map((player) => scores[player]),
        baopai: toMajiang(dora_marker),
        shoupai: seats.map((player) => (player === this.me ? tehais[player].map(toMajiang).join('') : '')),
      },
    });
  }

  tsumo({ actor, pai }) {
    const draw = { l: this.seat(actor), p: actor === this.me ? toMajiang(pai) : '' };
    const reply = this.tell(this.isReplacement ? { gangzimo: draw } : { zimo: draw });
    this.isReplacement = false;
    return actor === this.me ? this.turn(reply) : null;
  }

  /** What the player does in its turn. */
  turn({ hule, daopai, gang, dapai }) {
    const actor = this.me;
    if (hule) return { type: 'hora', actor, target: actor };
    if (daopai) return { type: 'ryukyoku', actor };
    if (gang) {
      const tiles = tilesOf(gang);
      if (/\d{4}$/.test(gang)) return { type: 'ankan', actor, consumed: tiles };
      return { type: 'kakan', actor, pai: tiles.pop(), consumed: tiles };
    }
    const discard = { type: 'dahai', actor, pai: toMjai(dapai), tsumogiri: dapai[2] === '_' };
    if (!dapai.endsWith('*')) return discard;
    this.discard = discard;
    return { type: 'reach', actor };
  }

  reach({ actor }) {
    this.riichi = actor;
    return actor === this.me ? this.discard : null;
  }

  dahai({ actor, pai, tsumogiri }) {
    const tile = toMajiang(pai) + (tsumogiri ? '_' : '') + (this.riichi === actor ? '*' : '');
    this.riichi = null;
    const { hule, fulou } = this.tell({ dapai: { l: this.seat(actor), p: tile } });
    if (hule) return { type: 'hora', actor: this.me, target: actor, pai };
    if (!fulou) return null;
    const consumed = tilesOf(fulou);
    consumed.pop();
    const isRun = !/^.(\d)\1\1/.test(fulou.replace(/[-=+]/g, '').replace(/0/g, '5'));
    const type = isRun ? 'chi' : consumed.length === 2 ? 'pon' : 'daiminkan';
    return { type, actor: this.me, target: actor, pai, consumed };
  }

  claim({ type, actor, target, pai, consumed }) {
    const [suit, rank] = toMajiang(pai);
    // Red fives follow the others, as in majiang's canonical form.
    const own = consumed.map((tile) => toMajiang(tile)[1]).sort().reverse().join('');
    const meld = Majiang.Shoupai.valid_mianzi(suit + own + rank + SIDES[(4 + target - actor) % 4]);
    if (type === 'pon') this.pungs.set(`${actor}${meld.slice(0, 2).replace('0', '5')}`, meld);
    this.isReplacement = type === 'daiminkan';
    const reply = this.tell({ fulou: { l: this.seat(actor), m: meld } });
    return actor === this.me && reply.dapai ? this.turn(reply) : null;
  }

  ankan({ actor, consumed }) {
    const ranks = consumed.map((tile) => toMajiang(tile)[1]).sort().reverse().join('');
    return this.kong(actor, toMajiang(consumed[0])[0] + ranks);
  }

  kakan({ actor, pai }) {
    const [suit, rank] = toMajiang(pai);
    return this.kong(actor, this.pungs.get(actor + suit + (rank === '0' ? '5' : rank)) + rank);
  }

  kong(actor, meld) {
    this.isReplacement = true;
    const { hule } = this.tell({ gang: { l: this.seat(actor), m: meld } });
    return hule ? { type: 'hora', actor: this.me, target: actor } : null;
  }

  answer(message) {
    switch (message.type) {
      case 'start_game': return this.startGame(message);
      case 'start_kyoku': return this.startKyoku(message);
      case 'tsumo': return this.tsumo(message);
      case 'dahai': return this.dahai(message);
      case 'chi': case 'pon': case 'daiminkan': return this.claim(message);
      case 'ankan': return this.ankan(message);
      case 'kakan': return this.kakan(message);
      case 'reach': return this.reach(message);
      case 'dora': this.tell({ kaigang: { baopai: toMajiang(message.dora_marker) } }); return null;
      // Results need no message: the next deal starts with its own totals.
      default: return null;
    }
  }
}

const bot = new Bot();
readline.createInterface({ input: process.stdin }).on('line', (line) => {
  process.stdout.write(JSON.stringify(bot.answer(JSON.parse(line)) ?? { type: 'none' }) + '\n');
});
