"""Trains a policy for the ruleset `woo` by self-play, with numpy alone, on one core.

    python examples/train_woo.py --minutes 3

All four players are the policy that is trained. The algorithm is PPO with a value function (Schulman et al., 2017,
"Proximal Policy Optimization Algorithms"). No decision of another agent is ever learned from; `random` and `greedy`
are opponents at the end, for the table that is printed.

The reward of a decision is

- the points that the deal brings the player, divided by 20, and
- shaping: the change of the hand's distance to completion until the player's next decision, times `SHAPING`. It
  fades out linearly over the run.

The network knows the symmetry of suits: one encoder reads each suit, and one decoder gives the logits of the actions
with tiles of that suit.

Three minutes of processor time (seed 1, some 4.6 million decisions) reached, with 95 % intervals:

    player    three others  points a deal     deals won
    random    random          0.22 ± 0.08     0.2% ± 0.1%
    policy    random         25.83 ± 0.84    49.5% ± 1.0%
    random    greedy         13.35 ± 0.35     0.0% ± 0.0%
    policy    greedy         23.50 ± 0.60    16.0% ± 0.7%
    greedy    greedy         21.81 ± 0.26    24.5% ± 0.4%

In `woo` every hand scores, so points, which the policy learns from, are not wins: it wins fewer deals than `greedy` and
scores as many points or more. Libraries of linear algebra on several threads wait for each other here: set
`OPENBLAS_NUM_THREADS=1`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import paishan

RULESET = "woo"
SCALE = 20.0
SHAPING = 0.5
DISCOUNT = 0.99
LAMBDA = 0.9
CLIP = 0.2
ENTROPY = 0.01
SUITS, RANKS, HONOURS = 3, 9, 7

Floats = NDArray[np.float32]


class Features:
    """Picks what the network reads from the observations of ``woo``.

    A batch has three arrays: ``suits [n, 3, 9 * planes]``, ``honours [n, 7 * planes]`` and ``table [n, scalars]``.
    """

    KINDS = ("hand.1", "hand.2", "hand.3", "hand.4", "drawn", "waits", "claimable")
    SCALARS = ("draws-left", "own-turn", "asked-discard", "melds+0", "discards+0", "dealer")

    def __init__(self, rules: paishan.Rules) -> None:
        observation = paishan.Observation(rules)
        names = observation.planes
        self._planes = [names.index(name) for name in self.KINDS]
        self._seen = names.index("seen")
        self._melds = [place for place, name in enumerate(names) if name.startswith("meld+0.")]
        self._wind = names.index("seat-wind")
        self._scalars = [observation.scalars.index(name) for name in self.SCALARS]
        self._scales = np.array(observation.scales, np.float32)[self._scalars]
        self.planes = len(self.KINDS) + 3
        self.table = len(self.SCALARS)

    def __call__(self, env: paishan.Env) -> tuple[Floats, Floats, Floats]:
        """The features of the decisions that an environment asks for."""
        n, planes = env.tables, env.planes
        parts = np.empty((n, self.planes, SUITS * RANKS + HONOURS), np.float32)
        parts[:, : len(self._planes)] = planes[:, self._planes]
        parts[:, -3] = planes[:, self._seen] * 0.25
        parts[:, -2] = planes[:, self._melds].sum(axis=1, dtype=np.uint8)
        parts[:, -1] = planes[:, self._wind]
        end = SUITS * RANKS
        suits = parts[:, :, :end].reshape(n, self.planes, SUITS, RANKS).transpose(0, 2, 1, 3)
        table = env.scalars[:, self._scalars] / self._scales
        return (
            np.ascontiguousarray(suits).reshape(n, SUITS, -1),
            parts[:, :, end:].reshape(n, -1),
            table.astype(np.float32),
        )


def outputs(rules: paishan.Rules) -> tuple[NDArray[np.intp], int, int, int]:
    """The place of each action in the output of the network, and how many outputs a suit, the honours and words have."""
    suits: list[list[int]] = [[], [], []]
    honours: list[int] = []
    words: list[int] = []
    space = paishan.ActionSpace(rules)
    for _, first, end in space.blocks:
        numbers = list(range(first, end))
        of_kinds = {SUITS * RANKS + HONOURS: RANKS, SUITS * (RANKS - 2): RANKS - 2}
        each = of_kinds.get(len(numbers))
        if each is None:
            words += numbers
            continue
        for suit in range(SUITS):
            suits[suit] += numbers[suit * each : (suit + 1) * each]
        honours += numbers[SUITS * each :]
    order = [*suits[0], *suits[1], *suits[2], *honours, *words]
    places = np.empty(len(space), np.intp)
    places[order] = np.arange(len(order))
    return places, len(suits[0]), len(honours), len(words)


@dataclass
class Network:
    """Logits of all actions and a value, with gradients. Weights are in ``weights``, by name."""

    features: Features
    rules: paishan.Rules
    seed: int = 0
    width: int = 96
    weights: dict[str, Floats] = field(default_factory=dict)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.places, of_suit, of_honours, of_words = outputs(self.rules)
        width, planes, table = self.width, self.features.planes, self.features.table
        shapes = {
            "suit": (planes * RANKS, width),
            "honour": (planes * HONOURS, width),
            "all": (2 * width + table, width),
            "suit2": (width, width),
            "suit2_all": (width, width),
            "honour2": (2 * width, width),
            "suit_out": (width, of_suit),
            "honour_out": (width, of_honours),
            "word_out": (width, of_words),
            "value1": (width, width),
            "value": (width, 1),
        }
        for name, (inputs, units) in shapes.items():
            size = 0.01 if name.endswith("_out") or name == "value" else np.sqrt(2 / inputs)
            self.weights[name] = (rng.standard_normal((inputs, units)) * size).astype(np.float32)
            if name != "suit2_all":
                self.weights[name + "+"] = np.zeros(units, np.float32)

    def forward(self, batch: tuple[Floats, Floats, Floats], value: bool = True) -> dict[str, Floats]:
        """All layers of a batch. ``logits [n, actions]`` and ``value [n]`` are the results."""
        w = self.weights
        suits, honours, table = batch
        n = len(table)
        flat = suits.reshape(n * SUITS, -1)
        h = np.maximum(flat @ w["suit"] + w["suit+"], 0)
        z = np.maximum(honours @ w["honour"] + w["honour+"], 0)
        joined = np.concatenate([h.reshape(n, SUITS, -1).sum(axis=1), z, table], axis=1)
        g = np.maximum(joined @ w["all"] + w["all+"], 0)
        u = (h @ w["suit2"]).reshape(n, SUITS, -1) + (g @ w["suit2_all"] + w["suit2+"])[:, None]
        u = np.maximum(u, 0).reshape(n * SUITS, -1)
        zg = np.concatenate([z, g], axis=1)
        v = np.maximum(zg @ w["honour2"] + w["honour2+"], 0)
        out = np.concatenate(
            [
                (u @ w["suit_out"] + w["suit_out+"]).reshape(n, -1),
                v @ w["honour_out"] + w["honour_out+"],
                g @ w["word_out"] + w["word_out+"],
            ],
            axis=1,
        )
        layers = {"flat": flat, "honours": honours, "h": h, "z": z, "joined": joined, "g": g}
        layers |= {"u": u, "zg": zg, "v": v, "logits": out[:, self.places]}
        if value:
            layers["v1"] = np.maximum(g @ w["value1"] + w["value1+"], 0)
            layers["value"] = (layers["v1"] @ w["value"] + w["value+"])[:, 0]
        return layers

    def backward(self, layers: dict[str, Floats], logits: Floats, value: Floats) -> dict[str, Floats]:
        """The gradients of the weights, from those of ``logits`` and ``value``."""
        w, n = self.weights, len(value)
        gradient: dict[str, Floats] = {}

        def layer(name: str, inputs: Floats, units: Floats) -> Floats:
            gradient[name] = inputs.T @ units
            gradient[name + "+"] = units.sum(axis=0)
            return units @ w[name].T

        out = np.empty_like(logits)
        out[:, self.places] = logits
        of_suit, of_honours = w["suit_out"].shape[1], w["honour_out"].shape[1]
        suits, rest = out[:, : SUITS * of_suit].reshape(n * SUITS, -1), out[:, SUITS * of_suit :]
        du = layer("suit_out", layers["u"], suits) * (layers["u"] > 0)
        dv = layer("honour_out", layers["v"], rest[:, :of_honours]) * (layers["v"] > 0)
        dg = layer("word_out", layers["g"], rest[:, of_honours:])
        dv1 = layer("value", layers["v1"], value[:, None]) * (layers["v1"] > 0)
        dg += layer("value1", layers["g"], dv1)
        dzg = layer("honour2", layers["zg"], dv)
        dz, dg = dzg[:, : self.width], dg + dzg[:, self.width :]
        dh = du @ w["suit2"].T
        gradient["suit2"] = layers["h"].T @ du
        of_all = du.reshape(n, SUITS, -1).sum(axis=1)
        gradient["suit2_all"] = layers["g"].T @ of_all
        gradient["suit2+"] = of_all.sum(axis=0)
        dg += of_all @ w["suit2_all"].T
        djoined = layer("all", layers["joined"], dg * (layers["g"] > 0))
        dz = (dz + djoined[:, self.width : 2 * self.width]) * (layers["z"] > 0)
        layer("honour", layers["honours"], dz)
        dh = dh.reshape(n, SUITS, -1) + djoined[:, None, : self.width]
        dh = dh.reshape(n * SUITS, -1) * (layers["h"] > 0)
        gradient["suit"], gradient["suit+"] = layers["flat"].T @ dh, dh.sum(axis=0)
        return gradient


class Adam:
    """The optimizer of Kingma and Ba, with gradients clipped to a length of 1."""

    def __init__(self, weights: dict[str, Floats]) -> None:
        self.weights = weights
        self.first = {name: np.zeros_like(array) for name, array in weights.items()}
        self.second = {name: np.zeros_like(array) for name, array in weights.items()}
        self.steps = 0

    def step(self, gradient: dict[str, Floats], rate: float) -> None:
        """Moves the weights against the gradient."""
        self.steps += 1
        length = np.sqrt(sum(float((array**2).sum()) for array in gradient.values()))
        factor = min(1.0, 1.0 / (length + 1e-8))
        scale = rate * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for name, array in gradient.items():
            array = array * np.float32(factor)
            self.first[name] += 0.1 * (array - self.first[name])
            self.second[name] += 0.001 * (array**2 - self.second[name])
            change = self.first[name] / (np.sqrt(self.second[name]) + 1e-8)
            self.weights[name] -= np.float32(scale) * change


def log_chances(logits: Floats, mask: NDArray[np.bool_]) -> Floats:
    """Log-probabilities of the legal actions; a large negative number for others."""
    masked = np.where(mask, logits, np.float32(-1e9))
    masked -= masked.max(axis=1, keepdims=True)
    masked -= np.log(np.exp(masked).sum(axis=1, keepdims=True))
    return masked


def drawn(log_chance: Floats, rng: np.random.Generator) -> NDArray[np.int64]:
    """An action for each row, by its probabilities."""
    sums = np.exp(log_chance).cumsum(axis=1)
    least = rng.random((len(sums), 1), dtype=np.float32) * sums[:, -1:]
    return (sums <= least).sum(axis=1).clip(max=sums.shape[1] - 1)


@dataclass
class Rollout:
    """Decisions of all tables with what they brought, flattened, only those with a choice."""

    batch: tuple[Floats, Floats, Floats]
    mask: NDArray[np.bool_]
    action: NDArray[np.int64]
    log_chance: Floats
    advantage: Floats
    target: Floats
    points: float
    deals: int


class Trainer:
    """PPO by self-play."""

    def __init__(self, tables: int = 256, steps: int = 96, seed: int = 0) -> None:
        self.rules = paishan.Rules(RULESET)
        self.env = paishan.Env(self.rules, tables, seed, episode="deal")
        self.features = Features(self.rules)
        self.network = Network(self.features, self.rules, seed)
        self.adam = Adam(self.network.weights)
        self.rng = np.random.default_rng(seed)
        self.steps = steps

    def collect(self, shaping: float) -> Rollout:
        """Plays some steps at every table and computes advantages (GAE) by player."""
        env, steps, tables = self.env, self.steps, self.env.tables
        rows = np.arange(tables)
        batches, masks, actions, log_chance = [], [], [], []
        values = np.empty((steps, tables), np.float32)
        distances = np.empty((steps, tables), np.float32)
        players = np.empty((steps, tables), np.int8)
        rewards = np.zeros((steps, tables, env.rules.players), np.float32)
        ends = np.empty((steps, tables), np.bool_)
        for step in range(steps):
            batch, mask = self.features(env), env.mask.view(np.bool_).copy()
            layers = self.network.forward(batch)
            chances = log_chances(layers["logits"], mask)
            action = drawn(chances, self.rng)
            batches.append(batch), masks.append(mask), actions.append(action)
            log_chance.append(chances[rows, action])
            values[step], distances[step], players[step] = (
                layers["value"],
                env.distance(),
                env.player,
            )
            env.step(action)
            ends[step] = env.deal_done
            rewards[step] = env.reward / SCALE

        # Backwards: what each player of each table has coming.
        shape = tables, env.rules.players
        coming = np.zeros(shape, np.float32)
        next_value, next_distance = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        advantage_after = np.zeros(shape, np.float32)
        # 0: unknown, since the rollout ends first. 1: another decision follows. 2: the deal ends.
        follows = np.zeros(shape, np.int8)
        advantage = np.zeros((steps, tables), np.float32)
        known = np.zeros((steps, tables), np.bool_)
        for step in reversed(range(steps)):
            end = ends[step]
            coming[end], advantage_after[end], next_value[end] = rewards[step][end], 0, 0
            follows[end] = 2
            at = rows, players[step]
            change = np.where(follows[at] == 1, distances[step] - next_distance[at], 0)
            delta = coming[at] + shaping * change + DISCOUNT * next_value[at] - values[step]
            advantage[step] = delta + DISCOUNT * LAMBDA * advantage_after[at]
            known[step] = follows[at] > 0
            advantage_after[at], next_value[at] = advantage[step], values[step]
            next_distance[at], coming[at], follows[at] = distances[step], 0, 1

        mask = np.concatenate(masks)
        kept = known.reshape(-1) & (mask.sum(axis=1) > 1)
        return Rollout(
            tuple(np.concatenate(part)[kept] for part in zip(*batches, strict=True)),  # type: ignore[arg-type]
            mask[kept],
            np.concatenate(actions)[kept],
            np.concatenate(log_chance)[kept],
            advantage.reshape(-1)[kept],
            (advantage + values).reshape(-1)[kept],
            float(rewards.mean(axis=2).sum() * SCALE / max(1, ends.sum())),
            int(ends.sum()),
        )

    def learn(self, rollout: Rollout, rate: float, epochs: int = 2, size: int = 2048) -> float:
        """Improves the policy. Returns its entropy in nats."""
        n = len(rollout.action)
        advantage = (rollout.advantage - rollout.advantage.mean()) / (rollout.advantage.std() + 1e-6)
        entropies = []
        for _ in range(epochs):
            order = self.rng.permutation(n)
            for start in range(0, n - size // 2, size):
                part = order[start : start + size]
                rows = np.arange(len(part))
                layers = self.network.forward(tuple(array[part] for array in rollout.batch))  # type: ignore[arg-type]
                log_chance = log_chances(layers["logits"], rollout.mask[part])
                chance = np.exp(log_chance)
                action, gain = rollout.action[part], advantage[part]
                ratio = np.exp(log_chance[rows, action] - rollout.log_chance[part])
                held = np.where(gain > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
                # d(-ratio * gain) / d logits, and that of the entropy.
                pull = (held * ratio * gain)[:, None].astype(np.float32)
                logits = chance * pull
                logits[rows, action] -= pull[:, 0]
                plogp = chance * np.maximum(log_chance, -50)
                entropy = -plogp.sum(axis=1, keepdims=True)
                logits += np.float32(ENTROPY) * (plogp + chance * entropy)
                value = 0.5 * (layers["value"] - rollout.target[part])
                size_of = np.float32(len(part))
                gradient = self.network.backward(layers, logits / size_of, value / size_of)
                self.adam.step(gradient, rate)
                entropies.append(float(entropy.mean()))
        return float(np.mean(entropies))

    def train(self, minutes: float) -> None:
        """Trains for some minutes of processor time. Prints a line twenty times."""
        began, shown, decisions = time.process_time(), 0.0, 0
        while (passed := (time.process_time() - began) / 60 / minutes) < 1:
            rollout = self.collect(SHAPING * (1 - passed))
            entropy = self.learn(rollout, rate=1e-3 * (1 - 0.9 * passed))
            decisions += len(rollout.action)
            if passed - shown >= 0.05:
                shown = passed
                print(
                    f"{passed:4.0%}  {decisions:>10,} decisions  entropy {entropy:.2f}"
                    f"  {rollout.points:5.2f} points a deal among themselves",
                    flush=True,
                )


@dataclass
class Result:
    """What a player reached: points a deal and the share of deals that it won, each with half a 95 % interval."""

    points: float
    points_within: float
    wins: float
    wins_within: float
    deals: int

    @classmethod
    def of(cls, points: float, deviation: float, wins: float, deals: int, players: int = 1) -> Result:
        """From means over deals, and over players that are alike."""
        n = deals * players
        within = 1.96 * (wins * (1 - wins) / n) ** 0.5
        return cls(points, 1.96 * deviation / n**0.5, wins, within, deals)

    def __str__(self) -> str:
        return (
            f"{self.points:6.2f} ± {self.points_within:.2f}   "
            f"{self.wins:6.1%} ± {self.wins_within:.1%}   {self.deals:>7,} deals"
        )


def measure(
    choose: Callable[[paishan.Env], NDArray[Any]], opponents: str, deals: int, seed: int = 99
) -> Result:
    """Player 0 decides by ``choose``, built-in agents play the others. Whole matches; every deal counts."""
    env = paishan.Env(RULESET, 128, seed, agents=opponents)
    win = env.action_space.number("hora")
    points: list[float] = []
    wins = 0
    while len(points) < deals:
        actions = choose(env)
        env.step(actions)
        points.extend(env.reward[env.deal_done, 0].tolist())
        wins += int((actions[env.deal_done] == win).sum())
    return Result.of(np.mean(points), np.std(points), wins / len(points), len(points))


def among_themselves(agent: str, deals: int, seed: int = 99) -> Result:
    """The same of a built-in agent at all seats, from a play-test."""
    played = paishan.playtest(RULESET, deals // 8, seed=seed, agents=agent).summary["statistics"]
    summary = played["summary"]
    players = paishan.Rules(RULESET).players
    deals = summary["deals"]
    mean = sum(summary["points"]) / (deals * players)
    square = sum(played["seat_squares"]) / (deals * players)
    wins = sum(summary["wins"]) / (deals * players)
    return Result.of(mean, (square - mean**2) ** 0.5, wins, deals, players)


def best(network: Network) -> Callable[[paishan.Env], NDArray[Any]]:
    """Decides by the most probable action."""

    def choose(env: paishan.Env) -> NDArray[Any]:
        logits = network.forward(network.features(env), value=False)["logits"]
        return np.where(env.mask.view(np.bool_), logits, -np.inf).argmax(axis=1)

    return choose


def show(network: Network, deals: int) -> None:
    """Prints what the policy reaches, and what `random` and `greedy` reach in its place."""
    rng = np.random.default_rng(5)
    policy = best(network)

    def at_random(env: paishan.Env) -> NDArray[Any]:
        return env.sample(rng)

    print(f"\n{'player':<10}{'three others':<14}{'points a deal':<18}{'deals won':<16}")
    for name, others, result in (
        ("random", "random", measure(at_random, "random", deals)),
        ("policy", "random", measure(policy, "random", deals)),
        ("random", "greedy", measure(at_random, "greedy", deals)),
        ("policy", "greedy", measure(policy, "greedy", deals)),
        ("greedy", "greedy", among_themselves("greedy", deals)),
    ):
        print(f"{name:<10}{others:<14}{result}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--minutes", type=float, default=3.0, help="how long to train, in processor time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=20_000, help="deals of each line of the table")
    parser.add_argument("--save", metavar="FILE", help="writes the weights into an .npz file")
    parser.add_argument("--load", metavar="FILE", help="shows saved weights instead of training")
    args = parser.parse_args()
    trainer = Trainer(seed=args.seed)
    network = trainer.network
    if args.load:
        network.weights = dict(np.load(args.load))
    else:
        trainer.train(args.minutes)
    if args.save:
        np.savez(args.save, **network.weights)
    show(network, args.deals)


if __name__ == "__main__":
    main()
