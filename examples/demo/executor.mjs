#!/usr/bin/env node
/**
 * The executor of the demo, in place of a coding agent. It makes real edits, test runs and commits. The edits come from
 * `patches/`; some are wrong on purpose.
 *
 * It stores nothing and makes only missing edits, because it may be killed and started again at any moment.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { text } from "node:stream/consumers";
import { applyPatch, readPatch } from "./patch.mjs";

/** Once the file contains this wrong code, the executor claims completion without tests. */
const looksDone = { 1.3: { file: "src/tax.js", code: "const tax = Math.round((net * rate) / 100);" } };

const { FIXPOINT_TASK_ID: taskId, FIXPOINT_ROLE: role } = process.env;
const task = readTask(await text(process.stdin), taskId);
process.stdout.write(`${role === "verifier" ? verify(task) : execute(task)}\n`);

function execute(task) {
  const guess = looksDone[task.id];
  if (guess !== undefined && readFileSync(guess.file, "utf8").includes(guess.code)) {
    return `The code in ${guess.file} rounds already, so there is nothing to change.\n\nTASK_COMPLETE`;
  }

  const patchFile = new URL(`patches/${task.id}.patch`, import.meta.url);
  const patch = existsSync(patchFile) ? readPatch(readFileSync(patchFile, "utf8")) : undefined;
  const changed = patch === undefined ? [] : applyPatch(patch);
  const tests = runTests(task.verify);
  if (!tests.passed) return renderFailure(task, tests.lastLine, patch?.summary ?? "None, no patch is known");

  const work = changed.length === 0 ? "The work is there already" : `${patch.summary} (${changed.join(", ")})`;
  const files = patch?.files.map(({ path }) => path) ?? task.files;
  return `${work}. Tests: ${tests.counts}. ${commit({ ...task, files })}\n\nTASK_COMPLETE`;
}

function verify(task) {
  const tests = runTests(task.verify);
  return tests.passed
    ? `Tests: ${tests.counts}.\n\nVERIFICATION_PASS`
    : `${renderFailure(task, tests.lastLine, "None, the tests were only run")}\n\nVERIFICATION_FAIL`;
}

function readTask(prompt, id) {
  const box = /^[-*+] \[[ xX]\] (\S+) (?:\[[^\]]*\] )*(.*)$/;
  const lines = prompt.split(/\r?\n/);
  const start = lines.findIndex((line) => box.exec(line)?.[1] === id);
  if (start === -1) throw new Error(`Cannot read task \`${id}\`, expected it in the prompt`);

  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => /^\S/.test(line));
  const block = end === -1 ? below : below.slice(0, end);
  const spans = (field) => {
    const line = block.find((each) => each.includes(`**${field}**:`)) ?? "";
    return [...line.matchAll(/`([^`]+)`/g)].map(([, code]) => code);
  };
  return {
    id,
    title: box.exec(lines[start])[2],
    files: spans("Files"),
    verify: spans("Verify")[0],
    commit: spans("Commit")[0] ?? `Task ${id}`,
  };
}

function runTests(command) {
  if (command === undefined) return { passed: true, counts: "none" };
  const { status, stdout } = spawnSync(command, { shell: true, encoding: "utf8" });
  const lines = stdout.trim().split("\n");
  return { passed: status === 0, counts: lines[0], lastLine: lines.at(-1) || `The tests ended with ${status}` };
}

function commit({ files, commit: message }) {
  if (!existsSync(".git")) return "There is no git repository to commit to.";
  if (git("status", "--porcelain", "--", ...files) === "") return "Nothing to commit.";
  git("add", "--", ...files);
  git("commit", "--quiet", `--message=${message}`, "--", ...files);
  return `Committed as ${git("rev-parse", "--short", "HEAD")}.`;
}

function git(...args) {
  // The user's git settings must not affect the demo: name, hooks, signing, language of messages.
  const identity = ["-c", "user.name=Demo executor", "-c", "user.email=executor@demo.invalid"];
  const neutral = ["--no-optional-locks", "-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false"];
  const options = { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } };
  const { status, stdout, stderr, error } = spawnSync("git", [...identity, ...neutral, ...args], options);
  if (status === 0) return stdout.trim();

  // Only this program commits here, so the lock is left over from a killed run.
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  if (lock === undefined) throw new Error(`Cannot run \`git ${args[0]}\`: ${error?.message ?? stderr.trim()}`);
  rmSync(lock, { force: true });
  return git(...args);
}

function renderFailure({ id, title }, error, attemptedFix) {
  return [
    `Task ${id}: ${title} FAILED`,
    `- Error: ${error}`,
    `- Attempted fix: ${attemptedFix}`,
    "- Status: Blocked, needs manual intervention",
  ].join("\n");
}
