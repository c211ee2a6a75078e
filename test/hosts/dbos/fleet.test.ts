import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { postgresFolder } from "../../../examples/demo/fleet/postgres.mjs";
import { readJournal } from "../../../src/adapters/journal/read-journal.ts";
import { openCheckouts } from "../../../src/hosts/dbos/checkout.ts";
import { openFleetRun } from "../../../src/hosts/dbos/open-run.ts";
import { performJob } from "../../../src/hosts/dbos/perform-job.ts";
import type { FleetError, FleetJob, FleetRun } from "../../../src/hosts/dbos/protocol.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { callCli } from "../cli/call-cli.ts";
import { git, makeRepository, openFleet, remoteOf } from "./ground.ts";

const fleet = await openFleet();
const queue = fleet?.queue ?? "";
const secrets = {
  environment: "planted-9f27c1",
  file: "planted-4c1d02",
  call: "planted-7ab3e9",
  said: `ghp_${"aB3dE6gH9".repeat(4)}`,
};

const plan = (name: string): string => `- [ ] 1.1 First ${name}
  - **Verify**: \`test -s done-1.1\`

- [ ] 1.2 Second
  - **Verify**: \`test -s done-1.2\`
`;

const agent = `echo "token $SHOP_API_TOKEN, called $*, and ${secrets.said}"
cat "$(dirname "$0")/settings.json"
[ "$FIXPOINT_KEY" = "1.2#1" ] || echo done > "done-$FIXPOINT_TASK_ID"
echo TASK_COMPLETE`;
function repositoryOf(name: string, text = plan(name)): string {
  const workspace = makeRepository(name, { plan: text, agent });
  writeFileSync(join(workspace, "..", "settings.json"), `{ "password": "${secrets.file}" }\n`);
  return workspace;
}
const password = `--password=${secrets.call}`;

describe.skipIf(fleet === null)("a fleet", () => {
  afterEach(() => fleet?.stopWorkers());
  afterAll(() => fleet?.remove());

  it("leaves the same documents as a run on one machine, is shown by status, why and export, and stores no secret", async () => {
    const [workspace, alone] = [repositoryOf("shop"), repositoryOf("shop")];
    process.env["SHOP_API_TOKEN"] = secrets.environment;
    await callCli(alone, ["run", "--exec", `${join(alone, "..", "agent")} ${password}`, "--yes"]);
    delete process.env["SHOP_API_TOKEN"];
    fleet?.startWorker(workspace, "whole", { env: { SHOP_API_TOKEN: secrets.environment }, words: password });
    const run = (await fleet?.submit(workspace, "whole")) ?? "";
    const ended = await fleet?.runWhen(run, ({ outcome }) => outcome !== null);
    expect(ended).toMatchObject({ outcome: "complete", questions: [] });
    git(workspace, "fetch", "-q", "origin");
    for (const name of ["tasks.md", ".progress.md"]) {
      const there = git(workspace, "show", `refs/remotes/origin/fixpoint/shop:specs/shop/${name}`);
      expect(there, name).toBe(execFileSync("cat", [join(alone, "specs", "shop", name)], { encoding: "utf8" }));
    }
    const status = await callCli(workspace, ["status", run, "--queue", queue]);
    expect(status.out).toMatch(/^2\/2 completed, last run: complete/);
    const why = await callCli(workspace, ["why", "1.2", run, "--queue", queue]);
    expect(why.out).toMatch(
      /verdict on 1\.2 \(attempt 1\): failed\n(?: {3}.*\n)* {3}verify: failed: Verify failed \(exit 1\)\n/,
    );
    const page = await callCli(workspace, ["export", run, "--queue", queue, "--format", "md"]);
    expect(page.out).toContain("- passed `1.2 Second` (2 attempts)\n");
    const kept = [dump(), git(remoteOf(workspace), "log", "--all", "-p")];
    for (const text of kept) {
      expect(text).toContain("done-1.2");
      for (const [name, secret] of Object.entries(secrets)) expect(text.includes(secret), name).toBe(false);
    }
  });

  it("does all tasks of a batch", async () => {
    const workspace = repositoryOf("batch", plan("batch").replaceAll(/\] (1\.\d) /g, "] $1 [P] "));
    fleet?.startWorker(workspace, "beside");
    const run = (await fleet?.submit(workspace, "beside")) ?? "";
    await fleet?.runWhen(run, ({ outcome }) => outcome === "complete");
    git(workspace, "fetch", "-q", "origin");
    const done = git(workspace, "show", "refs/remotes/origin/fixpoint/batch:specs/batch/tasks.md");
    expect(done.match(/- \[x\] 1\.\d \[P\]/g)).toHaveLength(2);
  });

  it("waits for an executor that no worker has, and reports it", async () => {
    const workspace = repositoryOf("lonely");
    fleet?.startWorker(workspace, "other");
    const run = await fleet?.submit(workspace, "nobody");
    const found = await fleet?.when(({ notes }) => notes.some((note) => note.includes("nobody")));
    expect(found?.notes).toContain(
      "1 job waits for a worker with the executor nobody: fixpoint worker --executor nobody",
    );
    expect(run).toMatch(/^lonely-/);
  });

  it("asks a person when the repository is gone, and resumes when it is back", async () => {
    const workspace = repositoryOf("gone");
    const run = (await fleet?.submit(workspace, "back")) ?? "";
    const remote = remoteOf(workspace);
    execFileSync("mv", [remote, `${remote}.away`]);
    fleet?.startWorker(workspace, "back");
    const asked = await fleet?.runWhen(run, ({ questions }) => questions.length > 0);
    expect(asked?.questions[0]?.text).toMatch(/^Cannot fetch refs\/fixpoint\/gone-/);
    await expect(fleet?.look(["status", run])).rejects.toMatchObject({
      message: expect.stringContaining(`Cannot fetch refs/fixpoint/${run}/base`),
      hint: expect.stringContaining("Check that git can fetch there"),
    });
    execFileSync("mv", [`${remote}.away`, remote]);
    expect((await fleet?.say(run, "retry"))?.out).toBe(`Sent retry to ${run}\n`);
    await fleet?.runWhen(run, ({ outcome }) => outcome === "complete");
    expect(await fleet?.look(["status", run])).toMatch(/^2\/2 completed, last run: complete/);
    const { folder, close } = await openFleetRun(queue, run);
    expect(readJournal(join(folder, ".fixpoint")).segments.map(({ header }) => header.open)).toEqual([2]);
    await close();
  });
});

describe("a command or job that cannot be carried out", () => {
  const nowhere = ["--queue", "postgres://x@127.0.0.1:1/x"];
  const submit = (workspace: string, ...more: readonly string[]) =>
    callCli(workspace, ["submit", ...nowhere, "--executor", "agent", ...more]);

  it.each([
    [["fleet", ...nowhere], "queue-unreachable"],
    [["fleet", "--queue", "nowhere"], "queue-invalid"],
    [["fleet"], "queue-invalid"],
    [["worker", ...nowhere], "no-executor"],
    [["worker", ...nowhere, "--executor", "nothing"], "bad-option"],
    [["worker", ...nowhere, "--executor", "agent=true", "--folder", process.execPath], "file-refused"],
    [["worker", ...nowhere, "--executor", "agent=true", "--folder", "/proc"], "file-refused"],
    [["worker", ...nowhere, "--executor", "agent=true", "--folder", "/proc/none/folder"], "file-refused"],
    [["worker", ...nowhere, "--executor", "one=true", "--executor", "one=false"], "bad-option"],
    [["status", "some-run", ...nowhere], "queue-unreachable"],
    [["say", "some-run", "retry", ...nowhere], "queue-unreachable"],
    [["say", "some-run", "retry", "1.1", ...nowhere], "bad-usage"],
    [["say", "some-run", "guidance", "Use tabs", "1.1", ...nowhere], "bad-usage"],
  ])("%s", async (words, code) => {
    await expect(callCli(temporaryFolder(), words)).rejects.toMatchObject({ code });
  });

  it("is refused at submit, before anything is pushed", async () => {
    const workspace = repositoryOf("refused");
    await expect(submit(workspace)).rejects.toMatchObject({ code: "consent-missing" });
    await expect(submit(workspace, "--branch", "main")).rejects.toMatchObject({ code: "branch-protected" });
    await expect(submit(workspace, "--branch", "bad..name")).rejects.toMatchObject({ code: "branch-unfit" });
    await expect(submit(workspace, "--verifier", "no name")).rejects.toMatchObject({ code: "bad-option" });
    await expect(submit(workspace, "--remote", "elsewhere")).rejects.toMatchObject({ code: "repository-unreachable" });
    git(workspace, "checkout", "-q", "-b", "other");
    git(workspace, "commit", "-q", "--allow-empty", "-m", "By others");
    git(workspace, "push", "-q", "origin", "other:fixpoint/refused");
    git(workspace, "checkout", "-q", "main");
    await expect(submit(workspace)).rejects.toMatchObject({ code: "branch-moved" });
    writeFileSync(join(workspace, "specs", "refused", "tasks.md"), plan("changed"));
    await expect(submit(workspace)).rejects.toMatchObject({ code: "spec-not-committed" });
    expect(git(workspace, "ls-remote", "origin", "refs/fixpoint/*")).toBe("");
  });

  it("is answered as a failed job, and ends no worker", async () => {
    const workspace = repositoryOf("jobs");
    const repo = join(workspace, "..", "remote.git");
    const base = git(workspace, "commit-tree", "-p", "HEAD", "-m", "base", "HEAD^{tree}").trim();
    git(workspace, "push", "-q", "origin", `${base}:refs/fixpoint/r/base`);
    const run: FleetRun = {
      ...{ repo, base, branch: "b", expect: null, spec: "specs/jobs", policy: {}, agreed: [] },
      executors: { executor: "agent" },
    };
    const held = { until: Date.now() + 60_000, why: "The day is spent" };
    const purse = { held: async () => held, hold: async () => {}, spend: async () => {} };
    const folder = temporaryFolder();
    const place = { checkouts: openCheckouts(folder, "own"), folder, mark: {}, executors: { agent: "true" }, purse };
    const answer = async (given: Partial<FleetJob>): Promise<FleetError | undefined> => {
      const job: FleetJob = {
        ...{ run: "r", repo, base, ref: "refs/fixpoint/r/base", spec: "specs/jobs", executor: "agent" },
        work: { kind: "check", command: "touch owned", timeoutMs: 1000 },
        ...given,
      };
      const { error, left } = await performJob("r/1", { job, run }, place, new AbortController().signal);
      if (left === undefined) return error;
      git(workspace, "fetch", "-q", "origin", left.ref);
      const said = JSON.parse(git(workspace, "log", "-1", "--format=%B", left.commit)) as {
        reply: { problem: object };
      };
      expect(said.reply.problem).toEqual({ kind: "rate-limit", message: held.why, until: held.until });
      return undefined;
    };
    const work = { kind: "execute", key: "1.1#1", role: "executor", taskId: "1.1", attempt: 1, prompt: "p" } as const;
    const execute = { ...work, progressFile: "specs/jobs/.progress.md" };
    expect(await answer({})).toMatchObject({ code: "command-not-agreed" });
    expect(await answer({ executor: "stranger", work: execute })).toMatchObject({ code: "executor-unknown" });
    expect(await answer({ repo: join(folder, "nowhere") })).toMatchObject({ code: "repository-unreachable" });
    expect(await answer({ work: execute })).toBeUndefined();
  });
});

const dump = (): string =>
  execFileSync(join(postgresFolder() ?? "", "pg_dump"), ["--dbname", queue], {
    ...{ encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  });
