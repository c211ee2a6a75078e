import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describeEvent } from "fixpoint";
import { runSpec } from "fixpoint/node";
import { git } from "../git.mjs";
import { openForge } from "./forge.mjs";

const placeOf = (folder) => join(folder, ".git", "demo");
const remoteOf = (folder) => join(placeOf(folder), "remote.git");

export function addPhase(folder, plan) {
  appendFileSync(join(folder, plan), readFileSync(new URL("phase-5.md", import.meta.url)));
}

export function addRemote(folder, later) {
  mkdirSync(placeOf(folder));
  git(folder, "clone", "--quiet", "--bare", ".", remoteOf(folder));
  git(folder, "remote", "add", "origin", remoteOf(later));
  git(folder, "switch", "--quiet", "--create", "invoice-totals");
}

export async function runWithPullRequest({ folder, spec, exec }) {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort(new Error(signal)));
  const forge = openForge({ remote: remoteOf(folder), file: join(placeOf(folder), "forge.json") });
  const ended = await runSpec({
    ...{ workspace: folder, spec, forge, yes: true, signal: stop.signal },
    executors: { executor: exec },
    policy: { recovery: ["fix"], finalVerify: "npm test", pullRequest: {} },
    onEvent: (event) => process.stdout.write(describeEvent(event)),
  });
  showPullRequest(forge.world, folder);
  return ended.exitCode;
}

function showPullRequest({ pulls, threads, keep, script: { writers } }, folder) {
  for (const { number, branch, base } of pulls) print(`\nPull request ${number}, ${branch} into ${base}`);
  for (const { head, check, attempt, state } of keep().jobs) {
    const isBase = pulls.some(({ base }) => git(folder, "rev-parse", base) === head);
    print(
      `  ${head.slice(0, 7)} ${check.id}: ${state}${attempt > 1 ? ", run again" : ""}${isBase ? " (the base)" : ""}`,
    );
  }
  for (const { path, line, comments } of threads) {
    print(`\n  ${path}:${line}`);
    for (const { author, body } of comments) print(`    ${author}: ${body.replace(/\s*<!--.*?-->/gs, "").trimEnd()}`);
    const strangers = comments.map(({ author }) => author).filter((author) => !writers.includes(author));
    if (strangers.length > 0) print(`    (no task: ${strangers.join(", ")} may not write to the repository)`);
  }
}

const print = (text) => process.stdout.write(`${text}\n`);
