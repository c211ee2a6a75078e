import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Check, Look } from "../../src/model/pull-request.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { temporaryFolder } from "./folder.ts";
import { lastingFolder } from "./project.ts";

export const git = (cwd: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  }).trim();

export function shopRepository(): { readonly remote: string; readonly workspace: string } {
  const folder = temporaryFolder();
  // Copies one repository, because a new repository takes a dozen calls of git.
  pattern ??= makePattern();
  cpSync(pattern, folder, { recursive: true });
  const [remote, workspace] = [join(folder, "remote.git"), join(folder, "work")];
  const config = join(workspace, ".git/config");
  writeFileSync(config, readFileSync(config, "utf8").replace(pattern, folder));
  return { remote, workspace };
}

let pattern: string | undefined;

function makePattern(): string {
  const folder = lastingFolder();
  const [remote, workspace] = [join(folder, "remote.git"), join(folder, "work")];
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  git(folder, "init", "-q", "-b", "main", workspace);
  git(workspace, "remote", "add", "origin", remote);
  for (const [name, value] of Object.entries({ "user.name": "a", "user.email": "a@example.com" }))
    git(workspace, "config", name, value);
  mkdirSync(join(workspace, "specs", "shop"), { recursive: true });
  const plan = ["# Tasks", "", "- [ ] 1.1 Build it", "", "## Phase 5: PR Lifecycle", "", "- [ ] 5.1 Create the PR", ""];
  writeFileSync(join(workspace, "specs/shop/tasks.md"), plan.join("\n"));
  writeFileSync(join(workspace, "a.txt"), "a\n");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-qm", "begin");
  git(workspace, "push", "-q", "origin", "main");
  git(workspace, "checkout", "-qb", "work");
  return folder;
}

export const address = "https://forge.example/ann/shop/pull/7";
export const aCheck: Check = {
  ...{ id: "CI / test", state: "passed", required: true, job: "1", since: 0, summary: null, url: null },
};

export interface ShopForge extends Forge {
  readonly asked: string[];
}

/**
 * @param look For each poll, differences from a pull request with nothing to do.
 * @param given Methods that replace the default methods.
 */
export function shopForge(
  remote: string,
  look: (head: string) => Partial<Look>,
  given: Partial<Forge> = {},
): ShopForge {
  const asked: string[] = [];
  const done = (what: string) => async (): Promise<{ kind: "done" }> => {
    asked.push(what);
    return { kind: "done" };
  };
  const headOf = (name: string): string => git(remote, "rev-parse", `refs/heads/${name}`);
  const found = () =>
    ({ kind: "found", number: 7, url: address, head: headOf("work"), base: "main", state: "open" }) as const;
  const whole = (): Look => {
    const head = headOf("work");
    return {
      ...{ number: 7, url: address, state: "open", draft: false, head, branch: "work", base: "main" },
      ...{ baseHead: headOf("main"), defaultBranch: "main", fork: false, merge: "clean", checksOf: head },
      ...{ threads: [], reviews: [], viewer: "bot", mayWrite: true, checks: [aCheck] },
      ...look(head),
    };
  };
  return {
    asked,
    find: async () => (asked.includes("open") ? found() : { kind: "none" }),
    open: async () => {
      asked.push("open");
      return { ...found(), created: true };
    },
    look: async () => ({ kind: "look", look: whole() }),
    lookAtBase: async () => ({ kind: "base", look: { head: headOf("main"), checks: [], checked: true } }),
    log: async () => ({
      kind: "log",
      log: "##[group]Run npm test\n##[endgroup]\nnot ok 1 - adds\n##[error]Process completed with exit code 1.",
      step: null,
      annotations: [],
    }),
    rerun: done("rerun"),
    answer: async ({ text }) => {
      asked.push(`answer: ${text}`);
      return { kind: "done" };
    },
    resolve: done("resolve"),
    may: async (login) => ({ kind: "known", write: login === "ann" }),
    updateBranch: done("updateBranch"),
    markReady: done("markReady"),
    enableAutoMerge: async ({ how }) => done(`autoMerge ${how}`)(),
    ...given,
  };
}
