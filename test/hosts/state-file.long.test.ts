import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { git, runActive, sourceProject, withRepository } from "../coordinator/fixtures/source-project.ts";
import { run as runApart } from "../support/cli.ts";
import { resume, run, runAgain } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { type Project, projectWith, writeExecutor } from "../support/project.ts";
import { read } from "../support/traces.ts";
import { until } from "../support/until.ts";
import { callCli } from "./cli/call-cli.ts";

const plan = "- [ ] 1.1 Make it\n  - **Verify**: `test -e made`\n";
const keep = 'cp "$FIXPOINT_SPEC/.ralph-state.json" "seen-$FIXPOINT_KEY.json"';
const executing = { phase: "execution", awaitingApproval: false };
const awaiting = { phase: "execution", awaitingApproval: true };

const stateOf = ({ state }: Project): Record<string, unknown> => JSON.parse(read(state)) as Record<string, unknown>;
const seenAt = ({ workspace }: Project, key: string): unknown => JSON.parse(read(join(workspace, `seen-${key}.json`)));

function escalating({ workspace }: Project): string[] {
  writeScript(workspace, "operator.sh", "cat >/dev/null; echo 'ESCALATE: all I know | which way to go'");
  return ["--repair", "--operator-exec", "./operator.sh"];
}

describe.concurrent("the phase in the state file", () => {
  it("is execution without a pending approval while a plan runs, even one that awaited approval", async () => {
    const project = projectWith({ plan, script: `${keep}; touch made; made` });
    writeFileSync(project.state, JSON.stringify({ phase: "tasks", awaitingApproval: true, granularity: "fine" }));
    expect((await run(project)).exitCode).toBe(0);
    expect(seenAt(project, "1.1#1")).toMatchObject({ ...executing, granularity: "fine" });
    expect(existsSync(project.state)).toBe(false);
  });

  it.each([
    ["at a limit", 1, "broke it", ["--max-task-iterations", "1"]],
    ["where it was interrupted", 130, "kill -INT $PPID; sleep 9", []],
  ])("stays execution %s, which needs no approval", async (_, exitCode, script, words) => {
    const project = projectWith({ plan, script });
    writeFileSync(project.state, JSON.stringify({ phase: "tasks", awaitingApproval: true }));
    expect((await runApart(project, ...words)).exitCode).toBe(exitCode);
    expect(stateOf(project)).toMatchObject(executing);
  });

  it("awaits approval at a gate, until the run resumes", async () => {
    const project = projectWith({ plan, script: "broke it" });
    const words = escalating(project);
    expect((await run(project, ...words)).exitCode).toBe(3);
    expect(stateOf(project)).toMatchObject(awaiting);
    writeExecutor(project.workspace, `${keep}; touch made; made`);
    expect((await resume(project, ...words, "--decision", "retry")).exitCode).toBe(0);
    expect(seenAt(project, "1.1#2")).toMatchObject(executing);
  });

  it("awaits approval at a checkpoint, also if another start repeats the question", async () => {
    const project = projectWith({ plan, script: "broke it" });
    const words = ["--escalation", "--stuck-after-same-errors", "1", "--max-pivot-attempts", "0"];
    expect((await run(project, ...words, "--max-research-attempts", "0")).exitCode).toBe(3);
    expect(stateOf(project)).toMatchObject(awaiting);
    expect((await runAgain(project)).exitCode).toBe(3);
    expect(stateOf(project)).toMatchObject(awaiting);
  });

  it("does not await approval if a person ended the run", async () => {
    const project = projectWith({ plan, script: "broke it" });
    await run(project, ...escalating(project));
    expect((await resume(project, "--decision", "stop")).exitCode).toBe(3);
    expect(stateOf(project)).toMatchObject(executing);
  });

  it("awaits approval while a person is asked during the run", async () => {
    const project = projectWith({ plan, script: "broke it" });
    const asked: string[] = [];
    const ask = async (question: string): Promise<string> => {
      asked.push(question);
      await until(() => stateOf(project)["awaitingApproval"] === true);
      writeExecutor(project.workspace, `${keep}; touch made; made`);
      return "r";
    };
    const words = ["run", project.spec, "--exec", "./executor.sh", "--yes", ...escalating(project)];
    expect(await callCli(project.workspace, words, { look: { ask } })).toMatchObject({ exitCode: 0 });
    expect(asked).toHaveLength(1);
    expect(existsSync(project.state)).toBe(false);
  });
});

describe.concurrent("the results of a batch in the state file", () => {
  const batch = [
    "- [x] 1.1 Set up",
    "- [ ] 1.2 [P] Index\n  - **Files**: a",
    "- [ ] 1.3 [P] Query\n  - **Files**: b",
    "- [ ] 1.4 After\n",
  ].join("\n");
  const groupOf = (...taskIndices: readonly number[]) => ({
    startIndex: taskIndices[0],
    endIndex: taskIndices.at(-1),
    taskIndices,
    isParallel: true,
  });
  /** With a wrong state file, members would wait forever. */
  const patience = ["--task-timeout", "60s"];
  const awaits = (index: number, status: string): string =>
    `until node -e 'const { taskResults } = JSON.parse(require("fs").readFileSync(process.env.FIXPOINT_SPEC + "/.ralph-state.json", "utf8")); process.exit(taskResults?.[${index}]?.status === "${status}" ? 0 : 1)'; do sleep 0.1; done`;
  const alone = `until grep -q '"parallelGroup": null' "$FIXPOINT_SPEC/.ralph-state.json"; do sleep 0.1; done; ${keep}`;

  it("are those of this batch, without results that were there before", async () => {
    const script = `case $FIXPOINT_KEY in
  1.2\\#1) ${awaits(2, "success")}; ${keep}; made;;
  1.3\\#1) made;;
  *) ${alone}; made;;
esac`;
    const project = projectWith({ plan: batch, script });
    const stale = {
      "1": { status: "failed", error: "before" },
      "0": { status: "success" },
      "9": { status: "pending" },
    };
    writeFileSync(project.state, JSON.stringify({ phase: "execution", taskResults: stale }));
    expect((await run(project, ...patience)).exitCode).toBe(0);
    expect(seenAt(project, "1.2#1")).toMatchObject({
      parallelGroup: groupOf(1, 2),
      taskResults: { "1": { status: "pending" }, "2": { status: "success" } },
    });
    expect(seenAt(project, "1.4#1")).toHaveProperty("taskResults", {});
  });

  it("contain the failure of a failed member, under its index after the fix tasks", async () => {
    const script = `case $id in
  1.2) broke 'no index';;
  1.2.1) ${awaits(3, "success")}; ${keep}; made;;
  1.3) ${awaits(1, "failed")}; made;;
esac`;
    const project = projectWith({ plan: batch, script });
    const words = ["--recovery-mode", "--max-fix-tasks", "1", ...patience];
    expect((await run(project, ...words)).exitCode).toBe(1);
    const results = { "1": { status: "failed", error: "no index" }, "3": { status: "success" } };
    expect(seenAt(project, "1.2.1#1")).toMatchObject({ parallelGroup: groupOf(1, 3), taskResults: results });
    expect(stateOf(project)).toMatchObject({ parallelGroup: groupOf(1, 3), taskResults: results });

    writeExecutor(project.workspace, `${alone}; made`);
    expect((await runAgain(project, "--max-fix-tasks", "2")).exitCode).toBe(0);
    expect(seenAt(project, "1.2#3")).toHaveProperty("taskResults", {});
  });

  it("show a member as pending while it is retried", async () => {
    const script = `case $FIXPOINT_KEY in
  1.2\\#1) broke 'no index';;
  1.2\\#2) ${awaits(1, "pending")}; ${keep}; made;;
  1.3\\#1) until [ -e 'seen-1.2#2.json' ]; do sleep 0.1; done; made;;
  *) made;;
esac`;
    const project = projectWith({ plan: batch, script });
    expect((await run(project, ...patience)).exitCode).toBe(0);
    expect(seenAt(project, "1.2#2")).toMatchObject({ taskResults: { "1": { status: "pending" } } });
  });

  it("are absent if no tasks run in parallel", async () => {
    const project = projectWith({ plan, script: `${keep}; touch made; made` });
    expect((await run(project)).exitCode).toBe(0);
    expect(seenAt(project, "1.1#1")).not.toHaveProperty("taskResults");
  });
});

describe.concurrent("the removal of a state file tracked by git", () => {
  const state = { phase: "execution", taskIndex: 0 };
  const tracked = "specs/recovery/.ralph-state.json";
  const inGit = (state?: object): Project =>
    withRepository(sourceProject({ plan: "- [ ] 1.1 First\n", script: "touch file; made", ...(state && { state }) }));
  const subjects = (project: Project): string[] => git(project, "log", "--format=%s").trimEnd().split("\n");
  const dirty = (project: Project): string => git(project, "status", "--porcelain");

  it.each([
    ["spec", ["chore(spec): update progress for task 1.1"], "?? file\n"],
    ["all", ["chore(spec): update progress for task 1.1", "1.1 First"], ""],
  ])("is a separate commit at the end with --commit %s", async (what, before, left) => {
    const project = inGit(state);
    expect(await runActive(project, "--commit", what)).toMatchObject({ exitCode: 0, err: "" });
    expect(dirty(project)).toBe(left);
    expect(subjects(project)).toEqual(["chore(spec): remove the state of the finished run", ...before, "begin"]);
    expect(git(project, "show", "--format=", "--name-status", "HEAD")).toBe(`D\t${tracked}\n`);
  });

  it("keeps what others have staged", async () => {
    const project = inGit(state);
    writeFileSync(join(project.workspace, "other.txt"), "staged");
    git(project, "add", "other.txt");
    expect((await runActive(project, "--commit", "spec")).exitCode).toBe(0);
    expect(dirty(project)).toBe("A  other.txt\n?? file\n");
  });

  it("makes no commit if git does not track the file", async () => {
    const project = inGit();
    expect((await runActive(project, "--commit", "spec")).exitCode).toBe(0);
    expect(subjects(project)).toEqual(["chore(spec): update progress for task 1.1", "begin"]);
  });

  it("makes no commit without --commit", async () => {
    const project = inGit(state);
    expect((await runActive(project)).exitCode).toBe(0);
    expect(subjects(project)).toEqual(["begin"]);
    expect(dirty(project)).toContain(` D ${tracked}\n`);
  });

  it("is committed by a later start if git refused it", async () => {
    const project = inGit(state);
    const head = join(project.workspace, ".git", "MERGE_HEAD");
    const words = ["--commit", "spec", "--final-verify", `git rev-parse HEAD >${head}`];
    const refused = await runActive(project, ...words);
    expect(refused).toMatchObject({ exitCode: 5, err: expect.stringContaining("a merge is in progress") });
    rmSync(head);
    expect((await runActive(project, "--final-verify", "true")).exitCode).toBe(0);
    expect(dirty(project)).toBe("?? file\n");
  });
});
