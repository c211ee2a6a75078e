import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { identifyProcess } from "../../../src/adapters/processes/process-identity.ts";
import { readSteps } from "../../../src/hosts/dbos/open-run.ts";
import { openQueue } from "../../../src/hosts/dbos/sdk.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import { git, makeRepository, openFleet, remoteOf } from "./ground.ts";

const fleet = await openFleet();

const until = (file: string): string => `until [ -e "$(dirname "$0")/${file}" ]; do sleep 0.05; done`;

const put = (workspace: string, file: string): void => writeFileSync(join(workspace, "..", file), "");

const recordsOf = async (run: string): Promise<readonly RunRecord[]> =>
  (await readSteps(fleet?.queue ?? "", run)).flatMap(({ records = [] }) => records);

const attemptsOf = async (run: string): Promise<readonly string[]> =>
  (await recordsOf(run)).flatMap((record) => (record.type === "delegated" ? record.key : [])).sort();

describe.skipIf(fleet === null)("a killed worker", () => {
  afterEach(() => fleet?.stopWorkers());
  afterAll(() => fleet?.remove());

  it("takes no work from the other members of a batch, and costs them no attempt", async () => {
    const ids = ["1.1", "1.2", "1.3", "1.4"];
    const plan = ids.map((id) => `- [ ] ${id} [P] Task ${id}\n  - **Verify**: \`test -s done-${id}\`\n`).join("\n");
    const agent = `[ "$FIXPOINT_TASK_ID" = 1.1 ] || [ "$FIXPOINT_TASK_ID" = 1.2 ] || ${until("$FIXPOINT_TASK_ID")}
echo done > "done-$FIXPOINT_TASK_ID"
echo TASK_COMPLETE`;
    const workspace = makeRepository("batch", { plan, agent: agent.replaceAll("; do", "\ndo") });
    // A change of this file can be judged only if git knows its content.
    writeFileSync(join(workspace, "notes.txt"), "notes\n");
    git(workspace, "add", "-A");
    git(workspace, "commit", "-q", "-m", "Notes");
    const more = ["--slots", "4"];
    fleet?.startWorker(workspace, "batch", { more });
    const run = (await fleet?.submit(workspace, "batch")) ?? "";
    await fleet?.runWhen(run, ({ done }) => done === 2);
    await fleet?.stopWorkers();
    fleet?.startWorker(workspace, "batch", { more });
    put(workspace, "1.3");
    await fleet?.runWhen(run, ({ done }) => done === 3);
    put(workspace, "1.4");
    const ended = await fleet?.runWhen(run, ({ outcome }) => outcome !== null);
    expect(ended).toMatchObject({ outcome: "complete", questions: [] });
    expect(await attemptsOf(run)).toEqual(ids.map((id) => `${id}#1`));
    const proofs = (await recordsOf(run)).flatMap((record) =>
      record.type === "answered" && record.effect === "verify" ? record.answer : [],
    );
    expect(proofs).toEqual(ids.map(() => ({ kind: "accepted", proof: { kind: "proven" } })));
    const files = git(remoteOf(workspace), "ls-tree", "--name-only", "fixpoint/batch").split("\n");
    expect(files).toEqual(expect.arrayContaining(ids.map((id) => `done-${id}`)));
  });

  it.each(["agent", "verify"])("leaves no process that goes on beside the repeat of its job: %s", async (which) => {
    const hold = 'echo $$ >> "$PLACE/pids"; until [ -e "$PLACE/go" ]; do sleep 0.05; done';
    const works = "echo made > made.txt\necho TASK_COMPLETE";
    const workspace = makeRepository(which, {
      plan: `- [ ] 1.1 First\n  - **Verify**: \`${which === "verify" ? `${hold}; ` : ""}test -s made.txt\`\n`,
      agent: which === "agent" ? `${hold}\n${works}` : works,
    });
    const place = join(workspace, "..");
    put(workspace, "pids");
    const pidsWhen = async (count: number): Promise<readonly number[]> => {
      for (;;) {
        const pids = readFileSync(join(place, "pids"), "utf8").split("\n").filter(Boolean).map(Number);
        if (pids.length >= count) return pids;
        await setTimeout(50);
      }
    };
    fleet?.startWorker(workspace, which, { env: { PLACE: place } });
    const run = (await fleet?.submit(workspace, which)) ?? "";
    await pidsWhen(1);
    await fleet?.stopWorkers();
    fleet?.startWorker(workspace, which, { env: { PLACE: place } });
    const pids = await pidsWhen(2);
    const alive = pids.map((pid) => identifyProcess(pid) !== null);
    put(workspace, "go");
    expect(alive).toEqual([false, true]);
    const ended = await fleet?.runWhen(run, ({ outcome }) => outcome !== null);
    expect(ended).toMatchObject({ outcome: "complete", questions: [] });
  });

  it("ends its agents before it waits for the database when it is stopped", async () => {
    const workspace = makeRepository("stopped", {
      plan: "- [ ] 1.1 First\n",
      agent: `echo $$ > "$(dirname "$0")/pid"\n[ -e "$(dirname "$0")/go" ] || exec sleep 3600\necho TASK_COMPLETE`,
    });
    put(workspace, "pid");
    const worker = fleet?.startWorker(workspace, "stopped") as ChildProcess;
    const run = (await fleet?.submit(workspace, "stopped")) ?? "";
    let pid = 0;
    for (; pid === 0; await setTimeout(50)) pid = Number(readFileSync(join(workspace, "..", "pid"), "utf8"));
    const { database, close } = await openQueue(fleet?.queue ?? "");
    const busy = await database.connect();
    await busy.query("begin");
    await busy.query("lock table fixpoint.workers in access exclusive mode");
    worker.kill("SIGTERM");
    while (identifyProcess(pid) !== null) await setTimeout(50);
    await busy.query("commit");
    busy.release();
    await close();
    if (worker.exitCode === null) await once(worker, "exit");
    put(workspace, "go");
    fleet?.startWorker(workspace, "stopped");
    const ended = await fleet?.runWhen(run, ({ outcome }) => outcome !== null);
    expect(ended).toMatchObject({ outcome: "complete", questions: [] });
    expect(await attemptsOf(run)).toEqual(["1.1#1"]);
  });
});
