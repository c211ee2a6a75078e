// The compared policies: `{ name, policy, counts }`. `policy` is null for a baseline, which needs no replay.
import { readPolicy } from "fixpoint";

const ladders = {
  fix: ["fix"],
  escalation: ["retry", "pivot", "research", "checkpoint"],
  all: ["fix", "repair", "pivot", "research", "checkpoint"],
};

export const neverStop = { name: "never stop", policy: null };
export const oracle = { name: "oracle", policy: null };

export const rowsFor = (own) => [
  row("defaults", {}),
  row("defaults, no counts in the output", {}, { counts: false }),
  ...Object.entries(ladders).map(([name, recovery]) => row(`defaults, ladder ${name}`, { recovery })),
  ...[3, 4, 5, 6, 7].flatMap((k) =>
    [true, false].flatMap((verifyBefore) => (isDefault(k, verifyBefore) ? [] : [attempts(k, verifyBefore)])),
  ),
  ...own.map((json) => row(json, JSON.parse(json))),
];

const row = (name, policy, { counts = true } = {}) => ({
  name: name === "defaults" ? `${name}: K = ${readPolicy().maxTaskIterations}` : name,
  ...{ policy, counts },
});

const attempts = (k, verifyBefore) => row(`K = ${k}`, { maxTaskIterations: k, verifyBefore });

const isDefault = (k, verifyBefore) => {
  const defaults = readPolicy();
  return k === defaults.maxTaskIterations && verifyBefore === defaults.verifyBefore;
};
