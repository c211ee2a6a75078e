// Trials that are made up from a seed, with names of what fails. They are there to see that rules do what they say on
// runs of a known kind; how often each kind occurs is not known, so kinds are told apart.
const kinds = {
  "Generated: one more is mended each session": (random) => walk(random, { mend: () => 1, from: 3 + pick(random, 6) }),
  "Generated: some are mended, with pauses": (random) =>
    walk(random, { mend: () => (random() < 0.4 ? 1 + pick(random, 3) : 0), from: 4 + pick(random, 12) }),
  "Generated: mended and broken again": (random) =>
    walk(random, { mend: () => (random() < 0.5 ? 1 : 0), breaks: 0.3, from: 3 + pick(random, 6) }),
  "Generated: two take turns, and nothing helps": (random) => swing(4 + pick(random, 8)),
  "Generated: nothing helps": (random) => walk(random, { mend: () => 0, from: 1 + pick(random, 12) }),
};

/** Sessions of a trial, as in the recorded ones. */
const cap = 10;

export function generateTrials(count, seed) {
  if (count === 0) return [];
  return Object.entries(kinds).map(([name, make], kind) => ({
    name,
    trials: Array.from({ length: count }, (_, index) => {
      const sessions = make(randomFrom(seed * 1_000_003 + kind * 10_007 + index));
      return { id: `${kind}-${index}`, total: null, sessions: sessions.map(toSession) };
    }),
  }));
}

const toSession = (names) => ({ failing: names.length, names, cost: 0.05 });

/** From a set on, some of its checks are mended in each session, and at times one that passed fails again. */
function walk(random, { mend, breaks = 0, from }) {
  let failing = Array.from({ length: from }, (_, index) => `check ${index + 1}`);
  let next = from + 1;
  const sessions = [];
  while (sessions.length < cap) {
    failing = failing.slice(mend());
    if (random() < breaks && failing.length > 0) failing = [...failing, `check ${next++}`];
    sessions.push(failing);
    if (failing.length === 0) break;
  }
  return sessions;
}

/** n, n + 1, n, n + 1: each second session is progress by itself, and none reaches a new minimum. */
const swing = (from) =>
  Array.from({ length: cap }, (_, session) =>
    Array.from({ length: from + (session % 2) }, (_, index) => `check ${index + 1}`),
  );

const pick = (random, below) => Math.floor(random() * below);

/** Mulberry32. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
