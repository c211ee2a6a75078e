import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const pathIn = (root) => join(root, "docs/evidence/campaigns.ndjson");

export function readLedger(root) {
  const path = pathIn(root);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

export function trialsDone(root, name, seed) {
  const done = {};
  for (const run of readLedger(root).filter((other) => other.campaign === name && other.seed === seed)) {
    for (const [kind, count] of Object.entries(run.trials)) done[kind] = (done[kind] ?? 0) + count;
  }
  return done;
}

export function recordCampaign(root, { name, counts: unit }, { kinds, minutes, counts, violations }, { seed, commit }) {
  const line = {
    ...{ campaign: name, unit, commit, seed, node: process.version, processors: availableParallelism() },
    minutes: Math.round(minutes * 10) / 10,
    trials: Object.fromEntries(kinds.filter(({ done }) => done > 0).map(({ trials, done }) => [trials.name, done])),
    ...{ counts, violations: violations.length },
  };
  appendFileSync(pathIn(root), `${JSON.stringify(line)}\n`);
}

export function recordPage(root, { name, page }, text) {
  const path = join(root, page);
  const written = readFileSync(path, "utf8");
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`];
  const [from, to] = [written.indexOf(start), written.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`Cannot find the marks of ${name} in ${page}`);
  writeFileSync(path, `${written.slice(0, from)}${start}\n${text}\n${written.slice(to)}`);
}

export function commitOf(root) {
  const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: "pipe" }).trim();
  try {
    const changes = git("status", "--porcelain", "src", "machines", "test");
    return `${git("rev-parse", "--short=7", "HEAD")}${changes === "" ? "" : " and changes"}`;
  } catch {
    return "unknown";
  }
}
