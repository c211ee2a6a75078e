import { join } from "node:path";
import { expect, it } from "vitest";
import { openCheckouts } from "../../../src/hosts/dbos/checkout.ts";
import { type JobPlace, performJob } from "../../../src/hosts/dbos/perform-job.ts";
import type { FleetJob, FleetRun } from "../../../src/hosts/dbos/protocol.ts";
import type { Executor } from "../../../src/ports/executor.ts";
import { git, makeRepository, remoteOf } from "./ground.ts";

it("answers with an error if the reply of an executor is invalid, so that a person's retry repeats the job", async () => {
  const workspace = makeRepository("s", { plan: "- [ ] 1.1 First\n", agent: "" });
  const repo = remoteOf(workspace);
  const base = git(workspace, "commit-tree", "-p", "HEAD", "-m", "base", "HEAD^{tree}").trim();
  const ref = "refs/fixpoint/r/base";
  git(workspace, "push", "-q", "origin", `${base}:${ref}`);
  const run: FleetRun = {
    ...{ repo, base, branch: "b", expect: null, spec: "specs/s", policy: {}, agreed: [] },
    executors: { executor: "agent" },
  };
  const job: FleetJob = {
    ...{ run: "r", repo, base, ref, spec: "specs/s", executor: "agent" },
    work: {
      kind: "execute",
      key: "1.1#1",
      role: "executor",
      taskId: "1.1",
      attempt: 1,
      prompt: "p",
      progressFile: "p",
    },
  };
  const folder = join(workspace, "..", "elsewhere");
  const answerOf = (executor: unknown) => {
    const place: JobPlace = {
      ...{ folder, mark: {}, checkouts: openCheckouts(folder, "own"), executors: { agent: executor as Executor } },
      purse: { held: async () => null, hold: async () => {}, spend: async () => {} },
    };
    return performJob("r/1.1#1/0", { job, run }, place, new AbortController().signal);
  };
  for (const reply of [{ text: 1 }, null, undefined, 7]) {
    const { error, left } = await answerOf(async () => reply);
    expect([error?.code, error?.message, left]).toEqual([
      "executor-failed",
      expect.stringContaining("Cannot execute task `1.1`: Error: its reply is invalid"),
      undefined,
    ]);
  }
  expect((await answerOf(async () => "TASK_COMPLETE")).left?.ref).toMatch(/^refs\/fixpoint\/r\/1\.1#1\/0\//);
});
