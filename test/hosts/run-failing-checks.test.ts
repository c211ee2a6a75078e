import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RunEvent } from "../../src/model/event.ts";
import { Explanation } from "../../src/model/explanation.ts";
import { launch, runUntil } from "../support/cli.ts";
import { call, resume, run, runAgain, statusOf } from "../support/cli-here.ts";
import { writeScript } from "../support/folder.ts";
import { copyOf, type Project, projectWith, writeExecutor } from "../support/project.ts";
import { contentOf, delegations, eventsIn, journalPath, read, recordsOf } from "../support/traces.ts";

/** What another command about a project's spec says. */
const ask = async (project: Project, ...words: readonly string[]): Promise<string> =>
  (await call(project, ...words)).out;
const prompt = ({ workspace }: Project, key: string): string => read(join(workspace, "prompts", key));

/** Keeps every prompt by its key. */
const noted = 'mkdir -p prompts; printf \'%s\' "$prompt" > "prompts/$FIXPOINT_KEY"; ';

/** A Verify in TAP: a file of its name has to be there for each check of a task, a line each in `checks-<task>`. */
const tap = `count=0; failed=0; echo "TAP version 13"
while read -r name; do
  count=$((count + 1))
  if [ -e "made/$name" ]; then echo "ok $count - $name"; continue; fi
  failed=$((failed + 1))
  printf 'not ok %s - %s\\n  ---\\n  error: "%s is not there"\\n  ...\\n' "$count" "$name" "$name"
done < "checks-$1"
echo "1..$count"; echo "# tests $count"; echo "# pass $((count - failed))"; echo "# fail $failed"
[ "$failed" = 0 ]`;

/** A project of tasks whose Verify names its checks. @param checks Names by task. */
function checked(checks: Readonly<Record<string, readonly string[]>>, script: string, marker = ""): Project {
  const blocks = Object.keys(checks).map(
    (id) => `- [ ] ${id} ${marker}Task ${id}\n  - **Files**: made\n  - **Verify**: \`./check.sh ${id}\`\n`,
  );
  const project = projectWith({ plan: `# Tasks\n\n${blocks.join("")}`, script: `${noted}${script}` });
  mkdirSync(join(project.workspace, "made"));
  for (const [id, names] of Object.entries(checks)) {
    writeFileSync(join(project.workspace, `checks-${id}`), `${names.join("\n")}\n`);
  }
  writeScript(project.workspace, "check.sh", tap);
  return project;
}

describe.concurrent("a task whose executor asks a person", () => {
  const plan = "- [ ] 1.1 First\n  - **Verify**: `test -e one`\n";
  const asks = `${noted}case "$prompt" in *Postgres*) touch one; made;; *) echo "I looked at both."; echo "BLOCKED: Which database is it to be?"; echo "It cannot be changed later.";; esac`;

  it("ends with its question, spends nothing, and goes on with the answer", async () => {
    const project = projectWith({ plan, script: asks });
    const first = await run(project, "--max-task-iterations", "1");
    expect(first.exitCode).toBe(3);
    expect(first.out).toContain(
      "\nthe executor of 1.1 asks a person: Which database is it to be? It cannot be changed later.\n",
    );
    expect(first.out).toContain("\nOutcome: gate\n");
    expect(first.err).toMatch(
      /^ERROR: The executor of task 1\.1 asks: Which database is it to be\?\nIt cannot be changed later\.\nAnswer it: fixpoint resume spec --guidance "…"\nHave it tried again: fixpoint resume spec --decision retry\nLeave it out: .*\nEnd the run: .*\n$/,
    );
    const { tasks, outcome, question } = await statusOf(project);
    expect({ tasks, outcome }).toMatchObject({ outcome: "gate", tasks: [{ id: "1.1", state: "open" }] });
    expect(question).toMatchObject({ text: expect.stringContaining("Which database is it to be?") });
    expect(await ask(project, "why", "1.1", project.spec)).toMatch(/: a person was asked about 1\.1|Which database/);

    const second = await resume(project, "--guidance", "Use Postgres", "--max-task-iterations", "1");
    expect(second).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
    expect(prompt(project, "1.1#1")).toMatch(/BLOCKED/);
    expect(prompt(project, "1.1#2")).toContain("Use Postgres");
  });

  it("asks again when it is only let go on, and is left out when that is decided", async () => {
    const project = projectWith({ plan, script: asks });
    await run(project);
    expect(await resume(project, "--decision", "retry")).toMatchObject({
      exitCode: 3,
      err: expect.stringContaining("Which database is it to be?"),
    });
    expect((await resume(project, "--decision", "skip")).out).toContain("\nOutcome: skipped\n");
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
  });

  it("is no question where the line is fenced or quoted", async () => {
    const script =
      'touch one; echo "> BLOCKED: quoted"; printf "%s\\n" "\\`\\`\\`" "BLOCKED: fenced" "\\`\\`\\`"; made';
    const project = projectWith({ plan, script });
    expect(await run(project)).toMatchObject({ exitCode: 0, err: "" });
  });
});

/** 1.1 and its first fix make nothing, its second fix everything. */
const helpless = "case $id in 1.1.2) touch made/*; cd made; touch $(cat ../checks-1.1);; esac; made";
const three = { "1.1": ["reads", "sorts", "writes"] } as const;

describe.concurrent("a fix that does not help", () => {
  it("is superseded by one beside it, and closed with a note when that has helped", async () => {
    const project = checked(three, helpless);
    const { exitCode, out, err } = await run(project, "--recovery-mode");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.1.2#1", "1.1#2"]);
    expect(out).toContain("\nfailed 1.1: Verify failed (exit 1), 3 of 3 failing: reads: ");
    expect(out).toContain("\nfailed 1.1.1 (3 of 3 failing, was 3, the same checks): Verify failed");
    expect(out).toContain("\nfix 1.1.1 inserted below 1.1 (1 of 4)\n");
    expect(out).toContain("\nfix 1.1.2 inserted below 1.1 in place of 1.1.1 (2 of 4)\n");
    expect(out).toContain("\nSuperseded: 1.1.1\n");
    const plan = read(project.tasks);
    expect(plan.match(/^- \[.\] \S+/gm)).toEqual(["- [x] 1.1", "- [x] 1.1.1", "- [x] 1.1.2"]);
    expect(plan).toMatch(/\n- \[x\] 1\.1\.1 .*\n(?: .*\n)+ {2}- \*\*Superseded by\*\*: 1\.1\.2\n/);
    expect(plan.split("Superseded by")).toHaveLength(2);
    expect(read(project.progress)).toContain("- Task 1.1: 2 fixes attempted (1.1.1 superseded, 1.1.2) - Final: PASS\n");
    // What was tried is told to whoever comes next.
    expect(prompt(project, "1.1.2#1")).toContain("1.1.1");
    expect(prompt(project, "1.1.2#1")).toMatch(/sorts/);
    const types = recordsOf(project).map(({ type }) => type);
    expect(types.filter((type) => type === "closed")).toHaveLength(1);
    const told = Explanation.strict().parse(JSON.parse(await ask(project, "why", "1.1", project.spec, "--json")));
    expect(told.facts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "inserted", fix: "1.1.2", supersedes: "1.1.1" }),
        expect.objectContaining({ kind: "measured", progress: expect.objectContaining({ failing: 3, of: 3 }) }),
      ]),
    );
  });

  it("is told as such where the run stops before", async () => {
    const project = checked(three, "made");
    const { exitCode, err } = await run(project, "--recovery-mode", "--max-fix-tasks", "2");
    expect({ exitCode, err }).toEqual({ exitCode: 1, err: expect.stringContaining("Max fix attempts (2)") });
    expect(read(project.progress)).toContain("(1.1.1 superseded, 1.1.2) - Final: FAIL (max limit)\n");
    const { tasks } = await statusOf(project);
    expect(tasks.map(({ id, state }) => [id, state])).toEqual([
      ["1.1", "open"],
      ["1.1.1", "superseded"],
      ["1.1.2", "failed"],
    ]);
    expect(tasks[0]?.progress).toMatchObject({ failing: 3, of: 3, was: 3, change: "same", best: 3 });
    const shown = await ask(project, "status", project.spec);
    expect(shown).toMatch(/^open 1\.1 Task 1\.1 \[3 of 3 failing, was 3, the same checks\] \(1 attempt\): /m);
    expect(shown).toMatch(/^ {2}superseded 1\.1\.1 /m);
    writeExecutor(project.workspace, `${noted}cd made; touch $(cat ../checks-1.1); cd ..; made`);
    expect(await runAgain(project, "--max-fix-tasks", "3")).toMatchObject({ exitCode: 0, err: "" });
    expect(delegations(project).slice(-2)).toEqual(["1.1.2#2", "1.1#2"]);
    expect(read(project.tasks).match(/Superseded by\*\*: \S+/g)).toEqual(["Superseded by**: 1.1.2"]);
    expect(read(project.tasks)).not.toContain("[ ]");
  });

  it("is closed once, wherever the run is killed on the way", async () => {
    const whole = checked(three, helpless);
    const begun = copyOf(whole);
    const report = join(whole.workspace, "writes");
    const words = ["--recovery-mode"];
    const { out } = await launch(
      whole.workspace,
      ["run", whole.spec, "--exec", "./executor.sh", "--reporter", "plain", "--yes", ...words],
      {
        NODE_OPTIONS: `--import ${join(import.meta.dirname, "../support/die-at-write.mjs")}`,
        COUNT_WRITES: report,
      },
    ).end;
    expect(out).toContain("ALL_TASKS_COMPLETE");
    const expected = { plan: read(whole.tasks), progress: read(whole.progress) };
    const writes = Number(read(report));
    const between = new Set<string>();
    const moments = ["recorded, open", "recorded, closed", "answered, closed"];
    const areSeen = (): boolean => moments.every((moment) => between.has(moment));
    // The closing is among the last things that happen. How many writes there are differs a little from run to run.
    const places = [1, 2, 3].flatMap(() => Array.from({ length: writes }, (_, index) => writes - index).slice(0, 24));
    for (const place of places) {
      if (areSeen()) break;
      const project = copyOf(begun);
      const { signal } = await runUntil(project, place, ...words);
      if (signal === null) continue;
      between.add(momentOf(project));
      const end = await runAgain(project, ...words);
      expect({ place, exitCode: end.exitCode, err: end.err }).toEqual({ place, exitCode: 0, err: "" });
      expect({ place, plan: read(project.tasks) }).toEqual({ place, plan: expected.plan });
      expect({ place, progress: read(project.progress) }).toEqual({ place, progress: expected.progress });
    }
    // Between the record and the edit, and between the edit and the answer.
    expect([...between]).toEqual(expect.arrayContaining(moments));
  });
});

/** How far the closing of 1.1.1 had come. */
function momentOf(project: Project): string {
  const records = recordsOf(project);
  const isClosed = records.some(({ type }) => type === "closed");
  const isAnswered = records.some((record) => record.type === "answered" && record.key === "1.1#2/recordPass");
  const plan = read(project.tasks);
  const isEdited = plan.includes("Superseded by") && /- \[x\] 1\.1\.1 /.test(plan);
  const recorded = isAnswered ? "answered" : isClosed ? "recorded" : "before";
  return `${recorded}, ${isEdited ? "closed" : "open"}`;
}

describe.concurrent("what no command has shown", () => {
  it("is told as unverified, in events, status, summary and why", async () => {
    const plan =
      "- [ ] 1.1 First\n  - **Verify**: `true`\n- [ ] 1.2 Second\n  - **Verify**: Have a look\n- [ ] 1.3 Third\n";
    const project = projectWith({ plan, script: "made" });
    const told = await run(project, "--reporter", "json");
    expect(told.exitCode).toBe(0);
    const events = eventsIn(told.out).map((event) => RunEvent.parse(event));
    expect(events.flatMap((event) => (event.type === "task.passed" ? [[event.task, event.unverified]] : []))).toEqual([
      ["1.1", false],
      ["1.2", true],
      ["1.3", true],
    ]);
    expect(events.at(-1)).toMatchObject({ type: "run.ended", outcome: "complete", unverified: ["1.2", "1.3"] });
    const { tasks } = await statusOf(project);
    expect(tasks.map(({ id, unverified }) => [id, unverified])).toEqual([
      ["1.1", false],
      ["1.2", true],
      ["1.3", true],
    ]);
    expect(await ask(project, "status", project.spec)).toMatch(
      /^passed 1\.1 First \(1 attempt\)\npassed 1\.2 Second \[unverified\] \(1 attempt\)$/m,
    );
    expect(await ask(project, "why", "1.2", project.spec)).toContain(
      "passed 1.2 after 1 attempt, unverified: no command has shown it\n",
    );
    const again = await runAgain(project);
    expect(again.out).toContain("\nALL_TASKS_COMPLETE\n");
  });

  it("is everything where executors are trusted", async () => {
    const project = projectWith({ script: "made" });
    const { exitCode, out } = await run(project, "--trust-executor");
    expect(exitCode).toBe(0);
    expect(out).toContain("\npassed 1.1 after 1 attempt, unverified\n");
    expect(out).toContain("\nUnverified: 1.1, 1.2 (no command has shown that they are done)\n");
  });

  it("is also what a fix of a task without a Verify brings: it has none itself", async () => {
    const plan = "- [ ] 1.1 First\n  - **Verify**: Have a look\n";
    const project = projectWith({ plan, script: "[ $FIXPOINT_KEY = 1.1#1 ] && broke it || made" });
    const { exitCode, out } = await run(project, "--recovery-mode");
    expect(exitCode).toBe(0);
    expect(read(project.tasks)).not.toContain("Verify manually");
    expect(read(project.tasks).match(/\*\*Verify\*\*/g)).toHaveLength(1);
    expect(out).toContain("\nUnverified: 1.1.1, 1.1 (no command");
  });
});

describe.concurrent("trouble of the environment", () => {
  const full = "echo 'tee: out.txt: No space left on device' >&2; exit 1";
  const asked = (task: string): RegExp =>
    new RegExp(
      `^ERROR: Three tasks in a row failed for the same reason; the last was ${task.replaceAll(".", "\\.")}: no space is left on the device\\nPut it right first\\. Have it tried again: fixpoint resume spec --decision retry\\nLeave (?:it|${task} out: .*\\nLeave all of 1\\.1) out: .*\\nEnd the run: .*\\n$`,
    );
  const plan = (marker: string): string =>
    ["1.1", "1.2", "1.3", "1.4"].map((id) => `- [ ] ${id} ${marker}Task\n  - **Verify**: \`./check.sh\`\n`).join("");

  it("asks a person once three tasks of a tree have met it, rather than spend the rest", async () => {
    const project = projectWith({ plan: plan(""), script: "made" });
    writeScript(project.workspace, "check.sh", full);
    const { exitCode, out, err } = await run(project, "--recovery-mode");
    expect({ exitCode, err }).toEqual({ exitCode: 3, err: expect.stringMatching(asked("1.1.2")) });
    expect(out).toContain("\na person is asked about the environment: no space is left on the device\n");
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.1.2#1"]);
    expect((await statusOf(project)).outcome).toBe("gate");
    writeScript(project.workspace, "check.sh", "exit 0");
    expect(await resume(project, "--decision", "retry")).toMatchObject({ exitCode: 0, err: "" });
  });

  it("asks a person once three members of a batch have met it", async () => {
    const project = projectWith({ plan: plan("[P] "), script: "made" });
    writeScript(project.workspace, "check.sh", full);
    const { exitCode, out } = await run(project, "--max-parallel", "4", "--max-task-iterations", "4");
    expect(exitCode).toBe(3);
    const lines = out.split("\n");
    const at = lines.indexOf("a person is asked about the environment: no space is left on the device");
    const failed = lines.slice(0, at).flatMap((line) => /^failed (\S+):/.exec(line)?.[1] ?? []);
    expect([at > 0, new Set(failed).size]).toEqual([true, 3]);
  });

  it("asks nobody where tasks fail with something else in between", async () => {
    const project = projectWith({ plan: plan(""), script: "made" });
    writeScript(
      project.workspace,
      "check.sh",
      'n=$(cat count 2> /dev/null || echo 0); echo $((n + 1)) > count; [ $((n % 2)) = 1 ] && { echo "wrong answer"; exit 1; }; ' +
        full,
    );
    const { exitCode } = await run(project, "--recovery-mode");
    expect(exitCode).toBe(1);
    expect(delegations(project).length).toBeGreaterThan(3);
  });
});

describe("an executor that can mend only what its prompt names", () => {
  /** Makes the first two files that are named as failing in a fence of its prompt, and nothing else. */
  const mender = `node -e '
    const fs = require("fs");
    const fences = fs.readFileSync(0, "utf8").split(/^ *\`\`\`+.*$/m).filter((_, index) => index % 2 === 1).join("\\n");
    const names = [...new Set(fences.match(/\\bk[0-9a-f]{8}\\b/g) ?? [])].filter((name) => !fs.existsSync("made/" + name));
    for (const name of names.slice(0, 2)) fs.writeFileSync("made/" + name, "");
  ' < "prompts/$FIXPOINT_KEY"; made`;
  /** Names that nobody can guess. */
  const name = (task: number, check: number): string =>
    `k${(((task * 7919 + check * 104_729 + 12_345) * 2_654_435_761) % 2 ** 32).toString(16).padStart(8, "0").slice(-8)}`;
  const checksOf = (tasks: number, each: (task: number) => number) =>
    Object.fromEntries(
      Array.from({ length: tasks }, (_, task) => [
        `1.${task + 1}`,
        Array.from({ length: each(task) }, (_, check) => name(task, check)),
      ]),
    );

  it("brings a plan of ten tasks to green", async () => {
    const checks = checksOf(10, (task) => 1 + (task % 5));
    const project = checked(checks, mender);
    const { exitCode, out, err } = await run(project, "--recovery-mode");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(out).toContain("ALL_TASKS_COMPLETE");
    expect(readdirSync(join(project.workspace, "made"))).toHaveLength(30);
    expect(read(project.tasks)).not.toContain("- [ ]");
    // The first prompt of a task names nothing of what that is to make.
    for (const own of checks["1.3"] ?? []) expect(prompt(project, "1.3#1")).not.toContain(own);
    const { tasks } = await statusOf(project);
    expect(tasks.filter(({ depth }) => depth > 1)).toEqual([]);
  });

  it("gets far more checks to pass than there are attempts at a standstill", async () => {
    const project = checked(
      checksOf(1, () => 23),
      mender,
    );
    const { exitCode, out } = await run(project, "--recovery-mode");
    expect(exitCode).toBe(0);
    expect(readdirSync(join(project.workspace, "made"))).toHaveLength(23);
    expect(out).toMatch(/\nfailed 1\.1 \(\d+ of 23 failing, was \d+, progress\): /);
  });

  it("does as well with retries, pivots and a repair operator", async () => {
    const project = checked(
      checksOf(3, () => 5),
      mender,
    );
    const { exitCode, err } = await run(project, "--escalation", "--max-pivot-attempts", "1");
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
    expect(delegations(project)).toEqual(["1.1", "1.2", "1.3"].flatMap((id) => [1, 2, 3, 4].map((n) => `${id}#${n}`)));
  });
});

describe("the output of a Verify", () => {
  it("is kept whole beside the journal, for every attempt", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n  - **Verify**: `./check.sh`\n", script: "made" });
    writeScript(
      project.workspace,
      "check.sh",
      "seq 1 200000; echo 'last line'; [ -e stop ] || { touch stop; exit 1; }",
    );
    expect((await run(project)).exitCode).toBe(0);
    const kept = join(project.data, "run-1/out");
    for (const attempt of ["1.1#1", "1.1#2"]) {
      const text = read(join(kept, `${attempt}%2Fverify.out`));
      expect(text.length).toBeGreaterThan(1_200_000);
      expect(text.startsWith("1\n2\n") && text.endsWith("200000\nlast line\n")).toBe(true);
      expect(existsSync(join(kept, `${attempt}%2Fverify.err`))).toBe(true);
    }
    expect(Object.keys(contentOf(kept)).filter((path) => path.includes("verify"))).toHaveLength(4);
    expect(read(journalPath(project)).length).toBeLessThan(60_000);
  });
});
