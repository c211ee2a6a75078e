import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunOptions } from "../../src/hosts/node/run-options.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { TimedRunEvent } from "../../src/model/event.ts";
import { launch, runWords } from "../support/cli.ts";
import { call, resume, run, runAgain } from "../support/cli-here.ts";
import { alive } from "../support/processes.ts";
import { type Project, projectWith } from "../support/project.ts";
import { read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const keeps = `cat >> told; printf '%s|%s|%s|%s\\n' "$FIXPOINT_EVENT" "$FIXPOINT_SPEC" "$FIXPOINT_TASK_ID" "$FIXPOINT_MESSAGE" >> variables`;

const linesOf = ({ workspace }: Project, name: string): string[] =>
  existsSync(join(workspace, name)) ? read(join(workspace, name)).trimEnd().split("\n") : [];

const told = (project: Project): Record<string, unknown>[] =>
  linesOf(project, "told").map((line) => JSON.parse(line) as Record<string, unknown>);

const kinds = (project: Project): unknown[] => told(project).map(({ event }) => event);

const oneTask = "- [ ] 1.1 Only\n  - **Verify**: `test -e one`\n";
const asks = "echo 'BLOCKED: Which colour?'";
const hopeless = "broke 'it is hard'";

async function runHere(project: Project, options: Partial<RunOptions>): Promise<readonly TimedRunEvent[]> {
  const events: TimedRunEvent[] = [];
  await runSpec({
    ...{ workspace: project.workspace, spec: project.spec, yes: true, onEvent: (event) => void events.push(event) },
    executors: { executor: "./executor.sh" },
    ...options,
  });
  return events;
}

const notices = (events: readonly TimedRunEvent[]): string[] =>
  events.flatMap((event) => (event.type === "notice" ? [event.message] : []));

describe.concurrent("the command of --notify", () => {
  it("is run when the run is complete", async () => {
    const project = projectWith({ plan: oneTask });
    const end = await run(project, "--notify", keeps);
    expect(end).toMatchObject({ exitCode: 0, err: "" });
    expect(told(project)).toEqual([
      {
        ...{ event: "complete", at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), run: 1 },
        ...{ spec: "spec", folder: project.spec, workspace: project.workspace, task: null, title: null },
        ...{ message: "Run of spec: complete, 1 task: 1 proven", hint: null },
      },
    ]);
    expect(linesOf(project, "variables")).toEqual([
      `complete|${project.spec}||Run of spec: complete, 1 task: 1 proven`,
    ]);
    expect((await run(project, "--notify", keeps)).exitCode).toBe(0);
    expect(kinds(project)).toEqual(["complete"]);
  });

  it("receives the end before other listeners, since no event follows the end", async () => {
    const project = projectWith({ plan: oneTask });
    let before: unknown[] = [];
    await runHere(project, {
      notify: keeps,
      onEvent: ({ type }) => {
        if (type === "run.ended") before = kinds(project);
      },
    });
    expect(before).toEqual(["complete"]);
  });

  it("receives a question once, however often the run is started", async () => {
    const project = projectWith({ plan: oneTask, script: asks });
    expect((await run(project, "--notify", keeps)).exitCode).toBe(3);
    expect(told(project)).toMatchObject([
      {
        ...{ event: "person.asked", task: "1.1", title: "Only" },
        message: expect.stringMatching(
          /^Run of spec waits for you: the executor of 1\.1 asks a person: Which colour\? Answer the question: fixpoint resume .*--task 1\.1 --guidance "…"$/,
        ),
        hint: expect.stringMatching(/\nSkip the task: fixpoint resume .*--decision skip\nEnd the run: /),
      },
    ]);
    expect(linesOf(project, "variables")[0]).toMatch(
      /^person\.asked\|.*\|1\.1\|Run of spec waits for you: the executor of 1\.1 asks/,
    );
    expect((await runAgain(project, "--notify", keeps)).exitCode).toBe(3);
    expect(kinds(project)).toEqual(["person.asked"]);
    expect((await resume(project, "--decision", "retry", "--notify", keeps)).exitCode).toBe(3);
    expect(kinds(project)).toEqual(["person.asked", "person.asked"]);
  });

  it("receives a checkpoint as such, once", async () => {
    const project = projectWith({ plan: oneTask, script: hopeless });
    const words = ["--escalation", "--max-pivot-attempts", "0", "--max-research-attempts", "0", "--notify", keeps];
    expect((await run(project, ...words)).out).toContain("Outcome: checkpoint");
    expect(told(project)).toMatchObject([
      {
        ...{ event: "checkpoint", task: "1.1" },
        message: expect.stringMatching(
          /^Run of spec waits for you: a person is asked how to continue with 1\.1\. Fix the task yourself, then continue \(its Verify runs first\): fixpoint run /,
        ),
      },
    ]);
    expect((await runAgain(project, ...words)).out).toContain("Outcome: checkpoint");
    expect(kinds(project)).toEqual(["checkpoint"]);
  });

  it("receives a limit once, and again after it was raised and reached", async () => {
    const project = projectWith({ plan: oneTask, script: hopeless });
    expect((await run(project, "--max-task-iterations", "1", "--notify", keeps)).exitCode).toBe(1);
    expect(told(project)).toMatchObject([
      {
        ...{
          event: "limit",
          task: null,
          message: expect.stringMatching(
            /^Run of spec: limit: Max retries reached for task 1\.1 after 1 attempt\. Fix task 1\.1 yourself, .*: fixpoint run /,
          ),
        },
        hint: expect.stringContaining("fixpoint run"),
      },
    ]);
    expect((await runAgain(project, "--notify", keeps)).exitCode).toBe(1);
    expect(kinds(project)).toEqual(["limit"]);
    expect((await runAgain(project, "--max-task-iterations", "2", "--notify", keeps)).exitCode).toBe(1);
    expect(kinds(project)).toEqual(["limit", "limit"]);
  });

  it("receives a gate without a question to a person, and again only after progress", async () => {
    const project = projectWith({ plan: oneTask });
    const words = ["--final-verify", "test -e final", "--notify", keeps];
    expect((await run(project, ...words)).exitCode).toBe(3);
    expect((await runAgain(project, ...words)).exitCode).toBe(3);
    expect(kinds(project)).toEqual(["gate"]);
    writeFileSync(join(project.workspace, "final"), "");
    expect((await runAgain(project, ...words)).exitCode).toBe(0);
    expect(kinds(project)).toEqual(["gate", "complete"]);
  });

  it("receives the command that answers, if a run waits at its question", async () => {
    const project = projectWith({ plan: oneTask, script: asks });
    await runHere(project, { notify: keeps, decide: async () => ({ kind: "decided", decision: "skip" }) });
    expect(told(project)[0]?.["message"]).toMatch(
      /: Which colour\? Answer the question: fixpoint say guidance "…" .*--task 1\.1$/,
    );
  });

  it("is not run if a person ended the run", async () => {
    const project = projectWith({ plan: oneTask, script: asks });
    await runHere(project, { notify: keeps, decide: async () => ({ kind: "decided", decision: "stop" }) });
    expect(kinds(project)).toEqual(["person.asked"]);
  });

  it("receives hostile titles and questions as text", async () => {
    const evil = '\'; touch PWNED; "$(touch PWNED)" `touch PWNED` \\ \u202e \u0007end';
    const project = projectWith({
      plan: `- [ ] 1.1 ${evil}\n`,
      script: `printf '%s\\n' 'BLOCKED: $(touch PWNED) "x" \`touch PWNED\` -o @file'`,
    });
    await run(project, "--notify", `printf '%s\\n' "$FIXPOINT_MESSAGE" > message; ${keeps}`);
    expect(existsSync(join(project.workspace, "PWNED"))).toBe(false);
    const [first, ...more] = told(project);
    expect(more).toEqual([]);
    expect(first?.["title"]).toContain('\'; touch PWNED; "$(touch PWNED)"');
    expect(first?.["title"]).toContain("\\u202e");
    const message =
      'Run of spec waits for you: the executor of 1.1 asks a person: $(touch PWNED) "x" `touch PWNED` -o @file. ';
    expect(first?.["message"]).toContain(message);
    expect(linesOf(project, "message")).toEqual([first?.["message"]]);
    expect(read(join(project.workspace, "told"))).toMatch(/^[ -~…]*\n$/);
  });

  it("gets no variable with the name of a secret", async () => {
    const project = projectWith({ plan: oneTask });
    const secrets = { GH_TOKEN: "secret-1", GITHUB_TOKEN: "secret-2", MY_API_KEY: "secret-3", PLAIN: "plain-4" };
    await launch(project.workspace, runWords(project, "--yes", "--notify", "env > seen"), secrets).end;
    expect(read(join(project.workspace, "seen"))).toContain("PLAIN=plain-4\n");
    expect(read(join(project.workspace, "seen"))).not.toContain("secret-");
  });

  it.each([
    ["fails", "echo oh; echo why >&2; exit 3", "exit 3: why"],
    ["does not exist", "no-such-notifier", /exit 127: .*no-such-notifier/],
    ["kills itself", "kill -9 $$", "ended by SIGKILL"],
    ["prints without end", "yes", "it was stopped after 1048576 bytes of output"],
  ])("that %s causes one warning, and nothing else", async (_what, notify, why) => {
    const project = projectWith({ plan: oneTask, script: asks });
    const events = await runHere(project, { notify, decide: async () => ({ kind: "decided", decision: "skip" }) });
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "skipped" });
    expect(notices(events)).toEqual([
      expect.stringMatching(/^The --notify command failed \(.*\)\. The run continues without it$/),
    ]);
    expect(notices(events)[0]).toMatch(why);
  });

  it("that prints a secret causes a warning without it", async () => {
    const project = projectWith({ plan: oneTask });
    const events = await runHere(project, { notify: "echo ghp_0123456789abcdefghijklmnopqrstuvwxyz >&2; exit 1" });
    expect(notices(events)).toEqual([expect.stringContaining("exit 1: [redacted]")]);
  });

  it("does not block the run", async () => {
    const plan = `${oneTask}- [ ] 1.2 Next\n`;
    const project = projectWith({ plan, script: `[ $id = 1.1 ] && ${asks} || { touch next; made; }` });
    const notify = `[ "$FIXPOINT_EVENT" = person.asked ] && until [ -e next ]; do sleep 0.01; done; echo done >> waited`;
    const events = await runHere(project, { notify, decide: async () => ({ kind: "decided", decision: "skip" }) });
    expect(notices(events)).toEqual([]);
    expect(linesOf(project, "waited")).toEqual(["done", "done"]);
  });

  it("is ended by an interrupt after the end of the run, which keeps its outcome", async () => {
    const project = projectWith({ plan: oneTask });
    const notify = "touch hangs; trap '' TERM; while :; do sleep 1; done";
    const { child, end } = launch(project.workspace, runWords(project, "--yes", "--notify", notify));
    await until(() => existsSync(join(project.workspace, "hangs")));
    child.kill("SIGTERM");
    const { exitCode, out } = await end;
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: expect.stringMatching(/\nALL_TASKS_COMPLETE\n$/) });
    // A time limit would print a notice, but the interrupt ended the command earlier.
    expect(out).not.toContain("notice:");
    expect(alive(project)).toEqual([]);
    expect((await call(project, "status", project.spec)).out).toContain("complete");
  });

  it("left by a killed coordinator is ended by the next start", async () => {
    const plan = "- [ ] 1.1 [P] Asks\n- [ ] 1.2 [P] Works\n";
    const project = projectWith({ plan, script: `[ $id = 1.1 ] && ${asks} || { touch started; sleep 600; }` });
    const notify = "touch hangs; while :; do sleep 1; done";
    const { child, end } = launch(project.workspace, runWords(project, "--yes", "--notify", notify));
    await until(() => ["hangs", "started"].every((name) => existsSync(join(project.workspace, name))));
    child.kill("SIGKILL");
    await end;
    expect(alive(project).length).toBeGreaterThan(0);
    writeFileSync(join(project.workspace, "executor.sh"), "#!/bin/sh\necho TASK_COMPLETE\n");
    await resume(project, "--decision", "retry");
    expect(alive(project)).toEqual([]);
  });

  it("of the config file is used after consent, and `off` on the command line overrides it", async () => {
    const project = projectWith({ plan: oneTask });
    writeFileSync(join(project.spec, "fixpoint.config.json"), JSON.stringify({ notify: keeps }));
    const refused = await runAgain(project);
    expect(refused).toMatchObject({ exitCode: 2, err: expect.stringContaining(`  notify: cat >> told`) });
    expect(kinds(project)).toEqual([]);
    const off = projectWith({ plan: oneTask });
    writeFileSync(join(off.spec, "fixpoint.config.json"), JSON.stringify({ notify: keeps }));
    expect((await run(off, "--notify", "off")).exitCode).toBe(0);
    expect(kinds(off)).toEqual([]);
    expect((await run(project)).exitCode).toBe(0);
    expect(kinds(project)).toEqual(["complete"]);
  });
});
