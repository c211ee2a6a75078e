import { type ChildProcess, execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, it, onTestFinished } from "vitest";
import { makeRepository, openFleet } from "./ground.ts";

const fleet = await openFleet();
const one = "- [ ] 1.1 First\n";

function repositoryOf(name: string, script: string) {
  const workspace = makeRepository(name, { plan: one, agent: `DIR=$(dirname "$0")\n${script}\necho TASK_COMPLETE` });
  return { workspace, folder: join(workspace, "..") };
}

const linesOf = (path: string): string[] => readFileSync(path, "utf8").trim().split("\n");

describe.skipIf(fleet === null)("a fleet", () => {
  afterEach(() => fleet?.stopWorkers());
  afterAll(() => fleet?.remove());

  it("asks about a job that killed five workers, the last of which does the next run", async () => {
    const { workspace, folder } = repositoryOf("deadly", 'echo died >> "$DIR/deaths"; kill -9 $(cat "$DIR/pid")');
    let isOver = false;
    let last: ChildProcess | undefined;
    const keepAlive = async (): Promise<void> => {
      while (!isOver) {
        last = fleet?.startWorker(workspace, "deadly");
        if (last === undefined) return;
        writeFileSync(join(folder, "pid"), String(last.pid));
        await once(last, "exit");
      }
    };
    const alive = keepAlive();
    onTestFinished(async () => {
      isOver = true;
      await fleet?.stopWorkers();
      await alive;
    });
    const run = (await fleet?.submit(workspace, "deadly")) ?? "";
    const asked = await fleet?.runWhen(run, ({ questions }) => questions.length > 0);
    expect(asked?.questions).toEqual([
      {
        ...{ key: expect.any(String), task: null },
        text: `5 workers have died while they did ${run}/1.1#1/0. Find out why this job ends its workers, then say \`retry\` or \`stop\``,
      },
    ]);
    expect(linesOf(join(folder, "deaths"))).toHaveLength(5);
    await fleet?.say(run, "stop");
    await fleet?.runWhen(run, ({ outcome }) => outcome === "cancelled");
    const survivor = last;
    writeFileSync(join(folder, "agent"), "#!/bin/sh\necho TASK_COMPLETE\n");
    const next = (await fleet?.submit(workspace, "deadly", "--branch", "fixpoint/next")) ?? "";
    await fleet?.runWhen(next, ({ outcome }) => outcome === "complete");
    expect(last).toBe(survivor);
    expect(survivor).toMatchObject({ exitCode: null, signalCode: null });
  });

  it("begins and spends no attempt of any run while the executor is at a rate limit", async () => {
    const log = 'echo "$FIXPOINT_KEY $(basename "$FIXPOINT_SPEC") $(date +%s)" >> "$DIR/calls"';
    const limit = `{"type":"result","is_error":true,"result":"Claude AI usage limit reached|'"$(cat "$DIR/until")"'"}`;
    const limited = `[ -e "$DIR/until" ] || { expr $(date +%s) + 20 > "$DIR/until"; echo '${limit}'; exit 1; }`;
    const done = `echo '{"type":"result","is_error":false,"result":"TASK_COMPLETE"}'; exit`;
    const { workspace, folder } = repositoryOf("limited", [log, limited, done].join("\n"));
    execFileSync("ln", ["-s", "agent", join(folder, "claude")]);
    const env = { PATH: `${folder}:${process.env["PATH"]}` };
    fleet?.startWorker(workspace, "none", { env, more: ["--executor", "claude"] });
    const first = (await fleet?.submit(workspace, "claude", "--max-task-iterations", "1")) ?? "";
    await fleet?.when(({ notes }) => notes.some((note) => note.startsWith("claude waits until")));
    const other = makeRepository("other", { plan: one, agent: "" });
    const second = (await fleet?.submit(other, "claude", "--max-task-iterations", "1")) ?? "";
    for (const run of [first, second]) await fleet?.runWhen(run, ({ outcome }) => outcome === "complete");
    const until = Number(readFileSync(join(folder, "until"), "utf8"));
    const [begun = "", ...later] = linesOf(join(folder, "calls"));
    expect(begun).toMatch(/^1\.1#1 limited /);
    // Each run may spend one attempt, and the attempt that met the limit cost none.
    expect(later.map((line) => line.replace(/ \d+$/, "")).sort()).toEqual(["1.1#2 limited", "1.1#2 other"]);
    for (const line of later) expect(Number(line.split(" ").at(-1))).toBeGreaterThanOrEqual(until);
    expect(execFileSync("git", ["ls-remote", "origin", "refs/heads/fixpoint/other"], { cwd: other }).length).not.toBe(
      0,
    );
  });
});
