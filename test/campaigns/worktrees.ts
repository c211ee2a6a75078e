import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { randomFrom } from "../../src/model/random.ts";
import { alive } from "../support/processes.ts";
import type { Campaign, Surroundings } from "./campaign.ts";
import { atAnyMoment } from "./coordinator/at-any-moment.ts";
import { callGit } from "./coordinator/call-git.ts";
import { callProgram } from "./coordinator/call-program.ts";
import { environmentOf } from "./coordinator/environment-of.ts";
import { killHindrance, killTrials } from "./coordinator/kill-trials.ts";
import { newProject, type Project } from "./coordinator/project.ts";
import { readJournals } from "./coordinator/read-journals.ts";
import { wordsOf } from "./coordinator/start-coordinator.ts";
import { drawMembers, lineCount, lineOf, type Members } from "./worktrees/members.ts";

/** Campaign of conflicting batches in git worktrees. Kills starts around calls of git. */
export const worktreesCampaign: Campaign = {
  name: "worktrees",
  about: "batches of four in worktrees that edit the same lines, killed before and after calls of git, lose nothing",
  counts: "projects",
  trials: [
    {
      name: "members that collide",
      full: 200,
      short: 3,
      batch: 2,
      run: ({ seed, from, count }, surroundings) =>
        killTrials({ from, count }, (number) => tryBatch(crc32(`worktrees ${number}`, seed), surroundings)),
    },
  ],
  hindrance: killHindrance,
};

const mostStarts = 12;
const mostKills = 3;
const callsOfStart = 160;

async function tryBatch(seed: number, surroundings: Surroundings) {
  const random = randomFrom(seed);
  const members = drawMembers(random);
  const project = newProject(members, surroundings);
  try {
    writeFileSync(join(project.folder, "bin", "git"), killingGit, { mode: 0o755 });
    writeFileSync(join(project.workspace, "kept.txt"), "changed by the user\n");
    writeFileSync(join(project.workspace, "draft.txt"), "new\n");
    const before = sideOf(project);
    const wanted = random.next() < 1 / 3 ? 0 : 1 + Math.floor(random.next() * mostKills);
    const violations: string[] = [];
    let kills = 0;
    let said = "";
    for (let start = 0; ; start += 1) {
      const calls = join(project.folder, "calls");
      rmSync(calls, { force: true });
      const at = kills < wanted ? 1 + Math.floor(random.next() * (callsOfStart / (kills + 1))) : 0;
      const when = {
        XDG_STATE_HOME: join(project.folder, "state"),
        GIT_CALLS: calls,
        KILL_AT_CALL: `${at}`,
        KILL_BEHIND: random.next() < 0.5 ? "1" : "",
      };
      const ended = await callProgram(project, wordsOf(project, { exitCode: 0 }), {}, when);
      violations.push(...atAnyMoment(project));
      if (ended.killed) kills += 1;
      said = ended.said;
      if (ended.exitCode === 0) break;
      if (!ended.killed || start === mostStarts) {
        violations.push(`a start ended with ${ended.exitCode}: ${said}`);
        break;
      }
    }
    violations.push(...inspect(project, members, before));
    const delegated = readJournals(project).records.filter(({ type }) => type === "delegated").length;
    return { kills, repeated: Math.max(0, delegated - 4), violations };
  } finally {
    rmSync(project.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const killingGit = `#!/bin/sh
PATH=\${PATH#*:}
read -r who < "/proc/$PPID/comm"
if [ "$who" = node ] && [ "\${KILL_AT_CALL:-0}" -gt 0 ]; then
  echo x >> "$GIT_CALLS"
  if [ "$(wc -l < "$GIT_CALLS")" -eq "$KILL_AT_CALL" ]; then
    [ -n "$KILL_BEHIND" ] && git "$@"
    kill -9 $PPID
    exit 1
  fi
fi
exec git "$@"
`;

function sideOf(project: Project): Readonly<Record<string, string>> {
  const git = (...words: readonly string[]): string => callGit(project.workspace, words, environmentOf(project));
  return {
    "branches and tags": git("for-each-ref", "--format=%(refname)"),
    stash: git("stash", "list"),
    branch: git("symbolic-ref", "HEAD"),
    worktrees: git("worktree", "list", "--porcelain").replace(/^HEAD .*$/gm, ""),
    "not committed": git("status", "--porcelain", "kept.txt", "draft.txt"),
  };
}

function inspect(project: Project, { edits, flags = [] }: Members, before: Readonly<Record<string, string>>): string[] {
  const { folder, workspace } = project;
  const text = (path: string): string => {
    const file = join(workspace, path);
    return existsSync(file) ? readFileSync(file, "utf8") : "(gone)";
  };
  const lines = text("shared.txt").split("\n");
  const found: string[] = [];
  for (let number = 1; number <= lineCount; number += 1) {
    const line = lines[number - 1] ?? "";
    const wanted = Object.keys(edits).filter((letter) => edits[letter]?.includes(number) === true);
    const isRight =
      line.startsWith(lineOf(number)) &&
      [...line.slice(lineOf(number).length).replaceAll(" ", "")].sort().join("") === wanted.join("");
    if (!isRight) found.push(`line ${number} is ${JSON.stringify(line)}, wanted of ${wanted.join(", ") || "nobody"}`);
  }
  for (const letter of Object.keys(edits)) if (text(letter) === "(gone)") found.push(`the file of ${letter} is gone`);
  if (text("kept.txt") !== "changed by the user\n" || text("draft.txt") !== "new\n")
    found.push("files of the user are changed");
  const after = sideOf(project);
  for (const [name, was] of Object.entries(before)) {
    if (after[name] !== was) found.push(`${name} differ: ${JSON.stringify(after[name])}, not ${JSON.stringify(was)}`);
  }
  const fsck = callGit(workspace, ["fsck", "--no-dangling", "--no-progress"], environmentOf(project)).trim();
  if (fsck !== "") found.push(`git fsck: ${fsck}`);
  const left = leftOf(join(folder, "state/fixpoint"));
  if (left.length > 0) found.push(`worktrees are left: ${left}`);
  const living = alive(project);
  if (living.length > 0) found.push(`processes are alive: ${living}`);
  if (flags.includes("all")) {
    const open = callGit(
      workspace,
      ["status", "--porcelain", "--", "shared.txt", ...Object.keys(edits)],
      environmentOf(project),
    );
    if (open !== "") found.push(`not committed: ${open}`);
  }
  return found;
}

function leftOf(state: string): string[] {
  if (!existsSync(state)) return [];
  return readdirSync(state).filter((place) => existsSync(join(state, place, "worktrees")));
}
