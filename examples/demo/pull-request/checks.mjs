import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git, ownRepository } from "../git.mjs";

export function runChecks(remote, head) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-demo-ci-"));
  try {
    git(folder, "clone", "--quiet", "--no-checkout", remote, ".");
    git(folder, "checkout", "--quiet", "--detach", head);
    const [test, docs] = ["test", "docs"].map((job) => runJob(folder, job));
    // If all checks would pass, make one flaky, to show a rerun.
    return [docs.runs.includes("failed") ? test : flaky(test), docs];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runJob(folder, job) {
  const env = { ...ownRepository(), CI: "true" };
  const options = { cwd: folder, env, encoding: "utf8" };
  const { status, stdout, stderr } = spawnSync("npm", ["run", "--silent", job], options);
  const check = { id: `CI / ${job}`, step: `Run npm run ${job}` };
  if (status === 0) return { ...check, runs: ["passed"] };
  return { ...check, runs: ["failed"], log: runnerLog(`npm run ${job}`, `${stdout}${stderr}`, status) };
}

const flaky = (check) => ({
  ...check,
  runs: ["failed", ...check.runs],
  log: check.log ?? runnerLog("npm ci", "npm error code ECONNRESET\nnpm error network read ECONNRESET\n", 1),
});

function runnerLog(command, output, status) {
  const lines = [
    "##[group]Runner Image",
    "Image: ubuntu-24.04",
    "##[endgroup]",
    "##[group]Run actions/checkout@v4",
    "##[endgroup]",
    "HEAD is now at the head of the pull request",
    `##[group]Run ${command}`,
    `\u001B[36;1m${command}\u001B[0m`,
    "shell: /usr/bin/bash -e {0}",
    "##[endgroup]",
    ...output.trimEnd().split("\n"),
    `##[error]Process completed with exit code ${status}.`,
    "Post job cleanup.",
    "Cleaning up orphan processes",
  ];
  const begun = Date.now();
  return lines.map((line, index) => `${stamp(begun + index * 40)} ${line}\n`).join("");
}

const stamp = (ms) => new Date(ms).toISOString().replace("Z", "0000Z");
