import { readPolicy } from "fixpoint";
import { replayTrial } from "./replay-trial.mjs";
import { neverStop, oracle } from "./rows.mjs";

const head = [
  "policy",
  "Verify before",
  "solved",
  "of never stop",
  "× oracle",
  "dollars",
  "sessions",
  "ended too early",
];

export async function tableOf({ name, trials, excluded }, rows) {
  const best = sumUp(trials.map((trial) => [trial, untilGreen(trial)]));
  const solvable = trials.filter(isSolved);
  const least = sumUp(solvable.map((trial) => [trial, untilGreen(trial)]));
  const sums = [];
  for (const row of rows) sums.push({ ...row, ...sumUp(await replayAll(trials, row)) });
  sums.sort((one, other) => one.solved - other.solved || other.dollars - one.dollars);
  const all = [...sums, { ...neverStop, ...best }, { ...oracle, ...least }];
  const lines = [head, head.map(() => "---"), ...all.map((row) => cellsOf(row, { best, least }))];
  return [
    `### ${name}`,
    "",
    `${trials.length} trials, ${solvable.length} of them solved in the end; ${excluded} are excluded.`,
    "",
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
  ].join("\n");
}

const isSolved = ({ sessions }) => sessions.some(({ failing }) => failing === 0);

function untilGreen({ sessions }) {
  const green = sessions.findIndex(({ failing }) => failing === 0);
  return green === -1 ? { used: sessions.length, end: "cap" } : { used: green + 1, end: "solved" };
}

async function replayAll(trials, row) {
  const replays = [];
  for (const trial of trials) replays.push([trial, await replayTrial(trial, row)]);
  return replays;
}

function sumUp(replays) {
  const sums = { solved: 0, sessions: 0, dollars: 0, early: 0 };
  for (const [trial, { used, end }] of replays) {
    sums.sessions += used;
    sums.dollars += trial.sessions.slice(0, used).reduce((sum, { cost }) => sum + cost, 0);
    if (end === "solved") sums.solved += 1;
    else if (isSolved(trial)) sums.early += 1;
  }
  return sums;
}

const cellsOf = ({ name, policy, solved, sessions, dollars, early }, { best, least }) => [
  name,
  policy === null ? "" : readPolicy(policy).verifyBefore ? "yes" : "no",
  solved,
  `${((100 * solved) / best.solved).toFixed(1)} %`,
  (dollars / least.dollars).toFixed(2),
  dollars.toFixed(2),
  sessions,
  early,
];
