import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { Look } from "../../src/model/pull-request.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { temporaryFolder } from "../support/folder.ts";

const git = (cwd: string, ...words: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], {
    cwd,
    encoding: "utf8",
  }).trim();

/** A bare remote, and a clone of it on a branch of its own with a spec. */
function repository(): { readonly remote: string; readonly workspace: string } {
  const folder = temporaryFolder();
  const [remote, workspace] = [join(folder, "remote.git"), join(folder, "work")];
  git(folder, "init", "-q", "--bare", "-b", "main", remote);
  git(folder, "init", "-q", "-b", "main", workspace);
  git(workspace, "remote", "add", "origin", remote);
  mkdirSync(join(workspace, "specs", "shop"), { recursive: true });
  const plan = ["# Tasks", "", "- [ ] 1.1 Build it", "", "## Phase 5: PR Lifecycle", "", "- [ ] 5.1 Create the PR", ""];
  writeFileSync(join(workspace, "specs/shop/tasks.md"), plan.join("\n"));
  writeFileSync(join(workspace, "a.txt"), "a\n");
  git(workspace, "add", "-A");
  git(workspace, "commit", "-qm", "begin");
  git(workspace, "push", "-q", "origin", "main");
  git(workspace, "checkout", "-qb", "work");
  return { remote, workspace };
}

/** A forge over a bare remote whose check is red until the file says so. */
function forgeOver(remote: string): Forge & { readonly opened: string[] } {
  const opened: string[] = [];
  const unused = () => Promise.reject(new Error("not asked for"));
  const headOf = (name: string): string => git(remote, "rev-parse", `refs/heads/${name}`);
  const found = () =>
    ({
      kind: "found",
      number: 7,
      url: "https://forge.example/7",
      head: headOf("work"),
      base: "main",
      state: "open",
    }) as const;
  const look = (): Look => {
    const head = headOf("work");
    const state = git(remote, "show", `${head}:a.txt`).includes("fixed") ? "passed" : "failed";
    return {
      ...{ number: 7, url: "https://forge.example/7", state: "open", draft: false, head, branch: "work", base: "main" },
      ...{ baseHead: headOf("main"), defaultBranch: "main", fork: false, merge: "clean", checksOf: head, threads: [] },
      ...{ reviews: [], viewer: "bot", mayWrite: true },
      checks: [{ id: "CI / test", state, required: true, job: "1", since: 0, summary: null, url: null }],
    };
  };
  return {
    opened,
    find: async () => (opened.length === 0 ? { kind: "none" } : found()),
    open: async ({ body }) => {
      opened.push(body);
      return { ...found(), created: true };
    },
    look: async () => ({ kind: "look", look: look() }),
    lookAtBase: async () => ({ kind: "base", look: { head: headOf("main"), checks: [], checked: true } }),
    log: async () => ({
      kind: "log",
      log: "##[group]Run npm test\nnot ok 1 - adds\n##[error]Process completed with exit code 1.",
      step: null,
      annotations: [],
    }),
    rerun: async () => ({ kind: "done" }),
    ...{
      answer: unused,
      resolve: unused,
      may: unused,
      updateBranch: unused,
      markReady: unused,
      enableAutoMerge: unused,
    },
  };
}

describe("runSpec with a pull request", () => {
  it("pushes to a real remote, has a red check fixed, and ends when it is green", async () => {
    const { remote, workspace } = repository();
    const forge = forgeOver(remote);
    const events: RunEvent[] = [];
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge, yes: true, onEvent: (event) => void events.push(event) },
      executors: {
        executor: async ({ taskId }) => {
          appendFileSync(join(workspace, "a.txt"), taskId === "1.1" ? "built\n" : "fixed\n");
          git(workspace, "commit", "-qam", `work on ${taskId}`);
          return "TASK_COMPLETE";
        },
      },
      policy: { pullRequest: {} },
    });
    expect(ended).toMatchObject({ outcome: "complete", exitCode: 0 });
    const told = events.map(({ type }) => type).filter((type) => /^(?:pr|check|review)\./.test(type));
    expect(told).toEqual(["pr.pushed", "pr.opened", "check.rerun", "pr.task", "pr.pushed", "pr.ready"]);
    expect(events.find(({ type }) => type === "pr.task")).toMatchObject({ task: "5.2", about: "check" });
    expect(git(remote, "rev-parse", "work")).toBe(git(workspace, "rev-parse", "HEAD"));
    expect(git(remote, "rev-parse", "main")).not.toBe(git(remote, "rev-parse", "work"));
    expect(forge.opened).toHaveLength(1);
  });

  it("does not give an executor the tokens of the forge", async () => {
    const { remote, workspace } = repository();
    const seen = join(temporaryFolder(), "seen");
    const script = join(temporaryFolder(), "work.sh");
    const commit = "git -c user.name=a -c user.email=a@example.com commit -qam work";
    writeFileSync(script, `env > ${seen}\necho fixed >> a.txt\n${commit}\necho TASK_COMPLETE\n`);
    vi.stubEnv("GH_TOKEN", "secret-of-gh");
    vi.stubEnv("GITHUB_TOKEN", "secret-of-github");
    const ended = await runSpec({
      ...{ workspace, spec: "shop", forge: forgeOver(remote), yes: true },
      executors: { executor: `sh ${script}` },
      policy: { pullRequest: {} },
    });
    vi.unstubAllEnvs();
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(readFileSync(seen, "utf8")).toContain("FIXPOINT_KEY=");
    expect(readFileSync(seen, "utf8")).not.toContain("secret-of-");
  });

  it("begins nothing where the remote is on no forge that is known", async () => {
    const { workspace } = repository();
    const run = runSpec({
      ...{ workspace, spec: "shop", yes: true, policy: { pullRequest: {} } },
      executors: { executor: async () => "TASK_COMPLETE" },
    });
    await expect(run).rejects.toMatchObject({ code: "forge-unknown" });
  });
});
