// Reads recorded trials of public corpora as `{ id, total, start, sessions: [{ failing, cost }] }`. `total`: number of
// checks. `start`: number of checks that fail at first. `cost`: US dollars.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";

export const readSets = (paths) => paths.flatMap(filesIn).map(readSet);

const filesIn = (path) =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith(".ndjson"))
        .sort()
        .map((name) => join(path, name))
    : [path];

function readSet(path) {
  const lines = readFileSync(path, "utf8").split("\n");
  const all = lines.flatMap((line) => (line.trim() === "" ? [] : [toTrial(JSON.parse(line), path)]));
  const trials = all.filter(({ counts }) => counts);
  return { name: basename(path, ".ndjson"), trials, excluded: all.length - trials.length };
}

function toTrial(row, path) {
  if (Array.isArray(row.sessions)) return fromSessions(row);
  if (Array.isArray(row.errors)) return fromRounds(row);
  throw new Error(`Cannot read a trial of ${path}, expected { sessions } or { errors }: ${JSON.stringify(row.id)}`);
}

const fromSessions = ({ id, total_tests: total, start_failing: start, aborted = false, sessions }) => ({
  ...{ id, total, start },
  sessions: sessions.map(({ failing, cost_usd: cost }) => ({ failing, cost })),
  counts: !aborted && sessions.every(({ dead = false }) => !dead),
});

/** All tests fail at first, because the function is missing. */
const fromRounds = ({ id, tests, errors, cost_usd: cost }) => ({
  ...{ id, total: tests, start: tests },
  sessions: errors.map((failing) => ({ failing, cost: cost / errors.length })),
  counts: errors[0] > 0,
});
