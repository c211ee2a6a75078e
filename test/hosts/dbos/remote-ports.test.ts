import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shell } from "../../../src/adapters/shell.ts";
import { openCheckouts } from "../../../src/hosts/dbos/checkout.ts";
import { trackPendingWork } from "../../../src/hosts/dbos/pending-work.ts";
import type { FleetJob, FleetRun } from "../../../src/hosts/dbos/protocol.ts";
import { remotePorts } from "../../../src/hosts/dbos/remote-ports.ts";
import type { HandOut } from "../../../src/ports/executor.ts";
import { git as callGit, makeRepository, remoteOf } from "./ground.ts";

const git = (...call: Parameters<typeof callGit>): string => callGit(...call).trim();

it("merges the answer of a job that another machine has queued, with the base of that job", async () => {
  const workspace = makeRepository("s", { plan: "", agent: "" });
  const repo = remoteOf(workspace);
  const push = (ref: string, message: string): { readonly commit: string; readonly ref: string } => {
    git(workspace, "add", "-A");
    const commit = git(workspace, "commit-tree", "-p", "HEAD", "-m", message, git(workspace, "write-tree"));
    git(workspace, "push", "-q", "origin", `${commit}:${ref}`);
    return { commit, ref };
  };
  const key = "1.2#1";
  const base = push(`refs/fixpoint/r/${key}/base`, "base");
  writeFileSync(join(workspace, "own"), "own\n");
  const said = { kind: "execute", reply: { text: "TASK_COMPLETE" } };
  const left = push(`refs/fixpoint/r/${key}/0/left`, JSON.stringify(said));
  git(workspace, "rm", "-qf", "own");
  writeFileSync(join(workspace, "others"), "others\n");
  const now = push("refs/fixpoint/r/1.1#1/0/left", "others");

  const run: FleetRun = {
    ...{ repo, base: base.commit, branch: "b", expect: null, spec: "specs/s", policy: {}, agreed: [] },
    executors: { executor: "agent" },
  };
  const checkout = await openCheckouts(join(workspace, "..", "elsewhere"), "own").take(repo);
  await checkout.place(now.commit, now.ref);
  const pending = trackPendingWork();
  const queued: FleetJob = {
    ...{ run: "r", repo, base: base.commit, ref: base.ref, spec: "specs/s", executor: "agent" },
    work: { kind: "execute", key, role: "executor", taskId: "1.2", attempt: 1, prompt: "p", progressFile: "p" },
  };
  const failed: unknown[] = [];
  const { executors } = remotePorts(
    {
      ...{ id: "r", run, checkout, pending, fences: new Map(), said: new Map() },
      find: async () => queued,
      enqueue: async (job) => pending.take({ job, left }),
      drop: () => {},
      stand: () => {},
      onFailed: (_, error) => failed.push(error),
    },
    shell({ workspace: checkout.folder }),
  );
  const reply = await (executors.executor as HandOut)(
    {
      ...{ key, role: "executor", taskId: "1.2", attempt: 1, prompt: "p" },
      ...{ workspace: checkout.folder, spec: checkout.folder, progressFile: join(checkout.folder, "p") },
    },
    new AbortController().signal,
    () => {},
  );
  expect({ reply, failed }).toEqual({ reply: said.reply, failed: [] });
  const read = (name: string): string => readFileSync(join(checkout.folder, name), "utf8");
  expect([read("own"), read("others")]).toEqual(["own\n", "others\n"]);
  expect(git(repo, "rev-parse", base.ref)).toBe(base.commit);
});

it("asks a worker whether a program exists, and again after the content has changed until it does", async () => {
  const workspace = makeRepository("s", { plan: "", agent: "" });
  const repo = remoteOf(workspace);
  const base = git(workspace, "commit-tree", "-p", "HEAD", "-m", "base", "HEAD^{tree}");
  git(workspace, "push", "-q", "origin", `${base}:refs/fixpoint/r/base`);
  const checkout = await openCheckouts(join(workspace, "..", "elsewhere"), "own").take(repo);
  await checkout.place(base, "refs/fixpoint/r/base");
  const pending = trackPendingWork();
  const asked: FleetJob["work"][] = [];
  const { shell: checks } = remotePorts(
    {
      ...{ id: "r", checkout, pending, fences: new Map(), said: new Map() },
      run: {
        ...{ repo, base, branch: "b", expect: null, spec: "specs/s", policy: {}, agreed: [] },
        executors: { executor: "agent" },
      },
      find: async () => null,
      enqueue: async (job, { work }) => {
        asked.push(work);
        pending.take({ job, said: { kind: "find", exists: asked.length > 1 } });
      },
      drop: () => {},
      stand: () => {},
      onFailed: () => {},
    },
    shell({ workspace: checkout.folder }),
  );
  expect(await checks.exists("tool")).toBe(false);
  writeFileSync(join(checkout.folder, "written"), "meanwhile\n");
  expect([await checks.exists("tool"), await checks.exists("tool")]).toEqual([true, true]);
  expect(asked).toEqual([
    { kind: "find", program: "tool" },
    { kind: "find", program: "tool" },
  ]);
});
