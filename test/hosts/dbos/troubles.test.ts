import { execFileSync } from "node:child_process";
import type { EventEmitter } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { identifyProcess } from "../../../src/adapters/processes/process-identity.ts";
import { openQueue } from "../../../src/hosts/dbos/sdk.ts";
import { git, makeRepository, openFleet, remoteOf } from "./ground.ts";

const fleet = await openFleet();
const queue = fleet?.queue ?? "";
const works = 'echo done > "done-$FIXPOINT_TASK_ID"\necho TASK_COMPLETE';
const one = "- [ ] 1.1 First\n";

const askedBy = async (run: string): Promise<string> =>
  (await fleet?.runWhen(run, ({ questions }) => questions.some(({ task }) => task === null)))?.questions[0]?.text ?? "";

const completed = async (run: string): Promise<void> => {
  const ended = await fleet?.runWhen(run, ({ outcome }) => outcome !== null);
  expect(ended).toMatchObject({ outcome: "complete", questions: [] });
};

describe.skipIf(fleet === null)("a run of a fleet", () => {
  afterEach(() => fleet?.stopWorkers());
  afterAll(() => fleet?.remove());

  it("asks if a job is too large, after which the worker does the next run", async () => {
    const workspace = makeRepository("large", { plan: `${one}  - **Do**: ${"long ".repeat(4000)}\n`, agent: works });
    fleet?.startWorker(workspace, "large");
    const run = (await fleet?.submit(workspace, "large")) ?? "";
    expect(await askedBy(run)).toMatch(
      /^Cannot hand out 1\.1#1, expected at most 16384 bytes, not \d+\. Make the task or the advice shorter/,
    );
    await fleet?.say(run, "stop");
    await fleet?.runWhen(run, ({ outcome }) => outcome === "cancelled");
    const next = makeRepository("next", { plan: one, agent: works });
    await completed((await fleet?.submit(next, "large")) ?? "");
  });

  it("ends with a question about a command without consent, which no worker runs", async () => {
    const task = `- [ ] 1.0a Before\n  - **Do**: It\n  - **Files**: \`a\`\n  - **Done when**: Done\n  - **Verify**: \`touch ../owned\`\n  - **Commit**: \`feat: it\``;
    const request = {
      ...{ type: "ADD_PREREQUISITE", originalTaskId: "1.1", reasoning: "Needed", proposedTasks: [task] },
    };
    const agent = `[ "$FIXPOINT_KEY" = "1.1#1" ] || { ${works.replace("\n", "; ")}; exit; }
cat <<'END'
TASK_MODIFICATION_REQUEST
\`\`\`json
${JSON.stringify(request, null, 2)}
\`\`\`
END`;
    const workspace = makeRepository("agreed", { plan: one, agent });
    fleet?.startWorker(workspace, "agreed");
    const run = (await fleet?.submit(workspace, "agreed")) ?? "";
    const ended = await fleet?.runWhen(run, ({ outcome }) => outcome === "gate");
    expect(ended?.questions).toMatchObject([
      {
        task: null,
        text: expect.stringMatching(/^Task 1\.1 requests tasks with Verify commands .*touch \.\.\/owned/s),
      },
    ]);
    expect(await fleet?.look(["status", run])).not.toContain("fixpoint say");
    expect(await fleet?.look(["fleet"])).toContain(
      "End of the list: 1 item. To continue, check out fixpoint/agreed and submit the spec again\n",
    );
    expect(execFileSync("find", [join(workspace, ".."), "-name", "owned"], { encoding: "utf8" })).toBe("");
  });

  it("asks if someone else moved its branch, and resumes once the branch is restored", async () => {
    const workspace = makeRepository("moved", { plan: one, agent: "" });
    const agent = `until [ -e "${join(workspace, "..")}/go" ]; do sleep 0.05; done\n${works}`;
    execFileSync("sh", ["-c", 'printf "#!/bin/sh\\ncat > /dev/null\\n%s\\n" "$1" > ../agent', "sh", agent], {
      cwd: workspace,
    });
    fleet?.startWorker(workspace, "moved");
    const run = (await fleet?.submit(workspace, "moved")) ?? "";
    await fleet?.when(({ jobs }) => jobs["moved"]?.atWork === 1);
    git(workspace, "commit", "-q", "--allow-empty", "-m", "By others");
    git(workspace, "push", "-q", "origin", "HEAD:fixpoint/moved");
    execFileSync("touch", [join(workspace, "..", "go")]);
    const asked = await askedBy(run);
    expect(asked).toMatch(
      /^Cannot push to `fixpoint\/moved`, expected the branch to be at no commit, but it has moved\. Move the branch back/,
    );
    expect(git(workspace, "ls-remote", "origin", "refs/heads/fixpoint/moved")).toContain(
      git(workspace, "rev-parse", "HEAD").trim(),
    );
    execFileSync("sh", ["-c", /git push --force .*$/.exec(asked)?.[0] ?? "false"], { cwd: workspace });
    await fleet?.say(run, "retry");
    await completed(run);
    expect(git(remoteOf(workspace), "show", "fixpoint/moved:specs/moved/tasks.md")).toBe("- [x] 1.1 First\n");
  });

  it("waits for a worker of the version that submitted it", async () => {
    const workspace = makeRepository("version", { plan: one, agent: works });
    const run = (await fleet?.submit(workspace, "version")) ?? "";
    const name = "application_version";
    const set = `update dbos.workflow_status set ${name} = $1 where workflow_uuid = $2 returning ${name}`;
    const [ours] = (await fleet?.query(`select ${name} from dbos.workflow_status where workflow_uuid = $1`, run)) ?? [];
    await fleet?.query(set, "0.0.9-other", run);
    fleet?.startWorker(workspace, "version");
    const found = await fleet?.when(({ workers }) => workers.some(({ executors }) => executors.includes("version")));
    expect(found).toMatchObject({
      waiting: [run],
      notes: [`Work begun by version 0.0.9-other waits for a worker of that version; this is version ${ours?.[name]}`],
    });
    await fleet?.query(set, ours?.[name], run);
    await completed(run);
  });

  it("keeps its branch to itself until it has ended, as by stop", async () => {
    const workspace = makeRepository("über twice..lock", { plan: one, agent: works });
    const spec = "specs/über twice..lock";
    const run = (await fleet?.submit(workspace, "twice", spec)) ?? "";
    expect(run).toMatch(/^ber-twice-lock-[0-9a-f]{8}$/);
    const note = "1 run waits for a worker: fixpoint worker --executor …";
    // The worker of the previous case counts as alive until its lease ends.
    await fleet?.when(({ notes }) => notes.includes(note));
    await expect(fleet?.submit(workspace, "twice", spec)).rejects.toMatchObject({
      code: "branch-taken",
      hint: expect.stringContaining(`fixpoint say ${run} stop`),
    });
    const beside = await fleet?.submit(workspace, "twice", spec, "--branch", "fixpoint/beside");
    expect((await fleet?.say(run, "stop"))?.out).toBe(`Sent stop to ${run}\n`);
    fleet?.startWorker(workspace, "twice");
    await fleet?.runWhen(run, ({ outcome }) => outcome === "cancelled");
    await completed(beside ?? "");
    await expect(fleet?.submit(workspace, "twice", spec)).rejects.toMatchObject({ code: "branch-moved" });
  });

  it("is submitted once if its branch is named twice at the same moment", async () => {
    const workspace = makeRepository("moment", { plan: one, agent: works });
    // Delays each push until both submissions have looked for other runs of the branch.
    const hook = `#!/bin/sh\ncat > /dev/null\ntouch "../push-$$"\nuntil [ $(ls ../push-* | wc -l) -ge 2 ]; do sleep 0.05; done\n`;
    writeFileSync(join(remoteOf(workspace), "hooks", "pre-receive"), hook, { mode: 0o755 });
    const submit = () => fleet?.submit(workspace, "moment");
    const both = await Promise.allSettled([submit(), submit()]);
    const [run = "", ...others] = both.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    expect(others).toEqual([]);
    expect(both.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "branch-taken", hint: expect.stringContaining(`fixpoint say ${run} stop`) },
    });
    const refs = git(workspace, "ls-remote", "origin", "refs/fixpoint/*").trim().split("\n");
    expect(refs).toEqual([expect.stringContaining(`refs/fixpoint/${run}/base`)]);
    fleet?.startWorker(workspace, "moment");
    await completed(run);
    git(workspace, "push", "-q", "origin", ":fixpoint/moment");
    await completed((await submit()) ?? "");
  });

  it("survives the loss of a connection that is in use", async () => {
    const opened = await openQueue(queue);
    const holder = await opened.database.connect();
    const [{ pid } = {}] = (await holder.query("select pg_backend_pid() as pid")).rows;
    // `once` of `node:events` would also listen for errors.
    const ended = new Promise((resolve) => (holder as unknown as EventEmitter).on("end", resolve));
    await fleet?.query("select pg_terminate_backend($1)", pid);
    await ended;
    await expect(holder.query("select 1")).rejects.toThrow();
    holder.release(true);
    expect((await opened.database.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await opened.close();
  });

  it("leaves nothing of a killed worker on its machine once another starts there", async () => {
    const hold = 'until [ -e "$(dirname "$0")/go" ]; do sleep 0.05; done\n';
    const workspace = makeRepository("left", { plan: one, agent: `${hold}${works}` });
    const work = join(workspace, "..", "work");
    const killed = fleet?.startWorker(workspace, "left");
    const run = (await fleet?.submit(workspace, "left")) ?? "";
    await fleet?.when(({ jobs }) => jobs["left"]?.atWork === 1);
    await fleet?.stopWorkers();
    const isOfKilled = (name: string) => name.includes(`-${killed?.pid}-`);
    const left = () => [
      ...readdirSync(work),
      ...readdirSync(join(work, "repositories")).flatMap((name) =>
        git(join(work, "repositories", name), "for-each-ref", "--format=%(refname)").split("\n"),
      ),
    ];
    expect(left().filter(isOfKilled).length).toBeGreaterThan(1);
    fleet?.startWorker(workspace, "left");
    execFileSync("touch", [join(workspace, "..", "go")]);
    await completed(run);
    expect(left().filter(isOfKilled)).toEqual([]);
  });

  it("judges whether a worker is alive by the worker's own lease", async () => {
    const sql = "insert into fixpoint.workers values ($1, now() - interval '1 minute', $2)";
    await fleet?.look(["fleet"]);
    for (const [id, leaseMs] of Object.entries({ patient: 3_600_000, brief: 1000 })) {
      await fleet?.query(sql, id, { host: "elsewhere", pid: 1, pidStart: null, executors: [], leaseMs });
    }
    fleet?.startWorker(makeRepository("lease", { plan: one, agent: works }), "lease");
    const found = await fleet?.when(({ workers }) => !workers.some(({ id }) => id === "brief"));
    await fleet?.query("delete from fixpoint.workers where id = 'patient'");
    expect(found?.workers.map(({ id }) => id)).toContain("patient");
  });

  it("accepts a message from a shell that has the process id of a former worker", async () => {
    const facts = { host: hostname(), executors: [], leaseMs: 3_600_000 };
    const sql = "insert into fixpoint.workers values ('shell', now(), $1) on conflict (id) do update set facts = $1";
    await fleet?.look(["fleet"]);
    const own = identifyProcess(process.ppid);
    for (const [pidStart, code] of Object.entries({ 0: "run-unknown", [own?.pidStart ?? ""]: "own-gate" })) {
      await fleet?.query(sql, { ...facts, pid: process.ppid, pidStart });
      await expect(fleet?.say("nothing", "retry"), code).rejects.toMatchObject({ code });
    }
    await fleet?.query("delete from fixpoint.workers where id = 'shell'");
  });

  it("begins nothing once the daily budget is spent, which the fleet reports", async () => {
    const result = {
      type: "result",
      subtype: "success",
      is_error: false,
      result: "TASK_COMPLETE",
      total_cost_usd: 0.6,
    };
    const agent = `echo >> "$(dirname "$0")/calls"\necho '${JSON.stringify(result)}'`;
    const workspace = makeRepository("spent", { plan: `${one}- [ ] 1.2 Second\n- [ ] 1.3 Third\n`, agent });
    const folder = join(workspace, "..");
    execFileSync("ln", ["-s", "agent", join(folder, "claude")]);
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    fleet?.startWorker(workspace, "other", { env, more: ["--executor", "claude", "--per-day", "1"] });
    const run = (await fleet?.submit(workspace, "claude")) ?? "";
    const found = await fleet?.when(({ notes }) => notes.some((note) => note.startsWith("claude ")));
    expect(found?.notes.find((note) => note.startsWith("claude "))).toMatch(
      /^claude waits until \d{4}-\d\d-\d\dT00:00:00\.000Z: The daily limit of 1 dollars is spent\. Start its workers with a higher --per-day$/,
    );
    let why = "";
    while (!why.includes("The daily limit of 1 dollars is spent")) why = (await fleet?.look(["why", "1.3", run])) ?? "";
    expect(execFileSync("cat", [join(folder, "calls")], { encoding: "utf8" })).toBe("\n\n");
  });

  it("is not read by a version that does not know its tables", async () => {
    await fleet?.query("update fixpoint.meta set version = version + 1");
    try {
      await expect(fleet?.look(["fleet"])).rejects.toMatchObject({
        code: "queue-newer",
        message: expect.stringContaining(`Cannot use the tables at \`${queue.replace(/fixpoint@/, "")}\``),
        hint: "Install that version here, too: npm install fixpoint@latest",
      });
    } finally {
      await fleet?.query("update fixpoint.meta set version = version - 1");
    }
    expect(await fleet?.look(["fleet"])).toMatch(/^\d+ workers?\n/);
  });
});
