import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { readPolicy } from "../../src/model/policy.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { launch, run as runApart, runWords } from "../support/cli.ts";
import { call, run, runAccepting, runAgain } from "../support/cli-here.ts";
import { takeJournal } from "../support/forced-lease.ts";
import { isStopped } from "../support/processes.ts";
import { copyOf, type Project, projectWith, twoTasks, works } from "../support/project.ts";
import { contentOf, delegations, journalPath, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const looks = ["status", "why", "replay"];
const commands = ({ spec }: Project): string[][] => [
  ["status", spec],
  ["why", "1.1", spec],
  ["replay", spec],
  ["pause", spec],
  ["resume", spec],
];

describe.concurrent("a folder of run data that is a link", () => {
  it("is refused by every command, and its target is not touched", async () => {
    const project = projectWith();
    const victim = join(project.workspace, "victim");
    mkdirSync(join(victim, "run-1"), { recursive: true });
    for (const name of ["a.tmp", "run-1/x.tmp", "x.ndjson.5", "pause"]) writeFileSync(join(victim, name), "");
    symlinkSync("../victim", project.data);
    const before = contentOf(project.workspace);
    const ends = await Promise.all([run(project), ...commands(project).map((words) => call(project, ...words))]);
    const told = { exitCode: 5, err: expect.stringMatching(/\.fixpoint`.*found a symbolic link\nMove it away/) };
    expect(ends.map(({ exitCode, err }) => ({ exitCode, err }))).toEqual(ends.map(() => told));
    expect(contentOf(project.workspace)).toEqual(before);
  });
});

describe.concurrent("a coordinator whose run data is removed during an attempt", () => {
  it("ends its executor before another one works", async () => {
    const script = `[ -e once ] || { touch once; until rm -rf spec/.fixpoint; do :; done; touch gone; }
echo "start $PPID" >> events; n=0; until [ -e go ] || [ $n -gt 400 ]; do sleep 0.05; n=$((n + 1)); done
echo "end $PPID" >> events; ${works}`;
    const project = projectWith({ script });
    const first = await run(project);
    expect(first.exitCode).toBe(5);
    expect(first.err).toMatch(/its data was removed or replaced.*\n.*git clean/);
    expect(existsSync(project.data)).toBe(false);
    writeFileSync(join(project.workspace, "go"), "");
    const asked = await run(project);
    expect(asked).toMatchObject({ exitCode: 3, err: expect.stringContaining("The run data is missing") });
    expect((await runAccepting(project, asked)).exitCode).toBe(0);
    const events = read(join(project.workspace, "events")).trimEnd().split("\n");
    expect(events[0]).toMatch(/^start /);
    expect(events.slice(1).map((event) => event.split(" ")[0])).toEqual(["start", "end", "start", "end"]);
  });

  it("ends if another coordinator has begun in the same spec since", async () => {
    const project = projectWith({ script: `touch began; until [ -e go ]; do sleep 0.05; done; ${works}` });
    const first = launch(project.workspace, runWords(project, "--yes"));
    await until(() => existsSync(join(project.workspace, "began")));
    // Suspends the coordinator, which would otherwise notice the change.
    first.child.kill("SIGSTOP");
    await until(() => isStopped(first.child.pid ?? 0));
    rmSync(project.data, { recursive: true });
    const facts = { policy: readPolicy(), planHash: "", open: 2 };
    const other = takeJournal(readJournal(project.data), 1, facts);
    first.child.kill("SIGCONT");
    const { exitCode, err } = await first.end;
    expect({ exitCode, err }).toEqual({ exitCode: 4, err: expect.stringContaining("another coordinator") });
    expect(recordsOf(project)).toEqual([]);
    expect(read(project.tasks)).toBe(twoTasks);
    other.close();
  });

  it("reports the removal, not a missing file, if the executor ends at once", async () => {
    const project = projectWith({ script: `until rm -rf spec/.fixpoint; do :; done; ${works}` });
    for (let start = 0; start < 2; start += 1) {
      const { exitCode, err } = await run(project, "--accept", "any");
      expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringMatching(/its data was removed/) });
    }
    expect(read(project.tasks)).toBe(twoTasks);
  });

  it("runs no further Verify", async () => {
    const project = projectWith({ plan: "- [ ] 1.1 First\n  - **Verify**: `touch verified`\n" });
    const executor = scriptedExecutor({
      "1.1": [
        () => {
          rmSync(project.data, { recursive: true });
          return "TASK_COMPLETE";
        },
      ],
    });
    // Turns off Verify before the work, so only Verify after the work can create the file `verified`.
    const policy = { verifyBefore: false };
    const { spec, workspace } = project;
    const ended = runSpec({ spec, workspace, policy, executors: { executor }, yes: true });
    await expect(ended).rejects.toMatchObject({ code: "run-data-removed" });
    expect(existsSync(join(workspace, "verified"))).toBe(false);
  });
});

describe.concurrent("run data without its first segment", () => {
  it("is refused with exit code 2 by every command, before anything is written", async () => {
    const project = projectWith({ script: "broke hard" });
    for (const limit of ["1", "2"]) await run(project, "--max-task-iterations", limit);
    rmSync(journalPath(project, 1));
    const before = contentOf(project.spec);
    const asked = commands(project).filter(([word = ""]) => looks.includes(word));
    const ends = [
      await runAgain(project, "--max-task-iterations", "3"),
      ...(await Promise.all(asked.map((words) => call(project, ...words)))),
      await call(project, "replay", join(project.data, "run-1")),
    ];
    const told = { exitCode: 2, err: expect.stringMatching(/journal-1\.ndjson`, expected it to be there/) };
    expect(ends.map(({ exitCode, err }) => ({ exitCode, err }))).toEqual(ends.map(() => told));
    expect(contentOf(project.spec)).toEqual(before);
    expect(delegations(project)).toHaveLength(2);
  });
});

describe.concurrent("an altered last record", () => {
  it("is reported at the next start, and by status", async () => {
    const project = projectWith({ script: "broke hard" });
    await runApart(project, "--max-task-iterations", "1");
    const content = readFileSync(journalPath(project));
    const count = recordsOf(project).length;
    content[content.length - 30] = 0x7e;
    writeFileSync(journalPath(project), content);
    const told = `The last record of the journal is damaged: record ${count} in \`${journalPath(project)}\``;
    expect((await call(project, "status", project.spec)).out).toContain(told);
    const json = JSON.parse((await call(project, "status", project.spec, "--json")).out);
    expect(json).toMatchObject({ damaged: { path: journalPath(project), record: count } });
    const asked = await runAgain(project, "--max-task-iterations", "2");
    expect(asked).toMatchObject({ exitCode: 3, out: expect.stringContaining(told) });
    await runAccepting(project, asked, "--max-task-iterations", "2");
    expect((await call(project, "status", project.spec)).out).not.toContain("damaged");
  });
});

describe.concurrent("a pipe among the files of a run", () => {
  it.each([
    ["the state file", (project: Project) => project.state, "run"],
    ["a segment of the journal", (project: Project) => journalPath(project), "run"],
    ["a segment of the journal", (project: Project) => journalPath(project), "status"],
    ["the .gitignore", ({ data }: Project) => join(data, ".gitignore"), "run"],
  ])("does not block a reader if it is in place of %s", async (_, pathOf, command) => {
    const project = projectWith();
    await run(project, "--max-global-iterations", "1");
    const path = pathOf(project);
    rmSync(path, { force: true });
    execFileSync("mkfifo", [path]);
    const { exitCode, err } = await (command === "run"
      ? run(project, "--max-global-iterations", "9")
      : call(project, command, project.spec));
    expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringContaining("found a named pipe") });
  });

  it("is ignored if no reader opens it", async () => {
    const project = projectWith();
    await run(project, "--max-global-iterations", "1");
    execFileSync("mkfifo", [join(project.data, "run-1", "sum-1.json")]);
    expect((await run(project, "--max-global-iterations", "9")).exitCode).toBe(0);
  });

  it.each(["1.1#1.out", "1.1#1.err", "1.1#1%2Fverify.out"])(
    "is refused if it is in place of the output %s",
    async (name) => {
      const script = `[ -e again ] || { touch again; kill -9 $PPID; exit; }; ${works}`;
      const killed = projectWith({ script });
      await runApart(killed);
      const project = copyOf(killed);
      const out = join(project.data, "run-1", "out");
      rmSync(join(out, name), { force: true });
      execFileSync("mkfifo", [join(out, name)]);
      const { exitCode, err } = await run(project);
      expect({ exitCode, err }).toEqual({ exitCode: 5, err: expect.stringContaining("found a named pipe") });
    },
  );
});

describe.concurrent("a stuck report", () => {
  it.each([".git/config", "spec/.fixpoint/report.md", "public/config"])(
    "is not written to %s, which is not created",
    async (path) => {
      const project = projectWith({ script: "broke hard" });
      mkdirSync(join(project.workspace, ".git"));
      symlinkSync(".git", join(project.workspace, "public"));
      writeFileSync(join(project.spec, "fixpoint.config.json"), JSON.stringify({ stuckReport: path }));
      const before = contentOf(project.workspace);
      const limits = ["--escalation", "--max-total-attempts", "1"];
      const told = { exitCode: 2, err: expect.stringMatching(/stuck report to .*outside of \.git and \.fixpoint/) };
      for (const words of [limits, [...limits, "--stuck-report", path]]) {
        const { exitCode, err } = await run(project, ...words);
        expect({ exitCode, err }).toEqual(told);
      }
      expect(contentOf(project.workspace)).toEqual(before);
    },
  );
});
