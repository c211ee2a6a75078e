import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../src/adapters/journal/journal-line.ts";
import { type End, run, runAgain, runUntil } from "../support/cli.ts";
import { forgetHead } from "../support/owner-folder.ts";
import { type Project, projectWith } from "../support/project.ts";
import { delegations, eventsIn, journalPath, read } from "../support/traces.ts";

const plan = "- [ ] 1.1 Make it\n  - **Verify**: `test -e made`\n";
/** Only a fix task makes what the task is about. */
const mended = "case $id in 1.1) made;; *) touch made; made;; esac";

/** The same, once the first start is over: its executor interrupts it. */
const later = `[ -e again ] || { touch again; kill -INT $PPID; sleep 9; }; ${mended}`;
const interrupts = "kill -INT $PPID; sleep 9";

async function stopped(project: Project, ...words: readonly string[]): Promise<void> {
  const end = await run(project, ...words);
  expect({ exitCode: end.exitCode, told: told(end) }).toEqual({ exitCode: 130, told: [] });
}
const told = ({ out }: End): string[] => out.match(/^notice: The recovery .*/gm) ?? [];

/** The remedies of a start, as it tells them to a program. */
async function remedies(project: Project, ...words: readonly string[]): Promise<unknown> {
  const { out } = await runAgain(project, "--reporter", "json", ...words);
  return eventsIn(out).find(({ type }) => type === "run.started");
}
const recoveryIs = (...recovery: readonly string[]) => ({ policy: expect.objectContaining({ recovery }) });

describe.concurrent("a later start of a run", () => {
  it.each([
    ["--escalation", "fix, pivot, research, checkpoint: pivot, research, checkpoint added"],
    ["--repair", "fix, repair: repair added"],
  ])("adds what %s gives to fix tasks, which stay, and says so", async (flag, said) => {
    const project = projectWith({ plan, script: later });
    await stopped(project, "--recovery-mode");
    const end = await runAgain(project, flag);
    expect(told(end)).toEqual([`notice: The recovery of this run is ${said}`]);
    expect(end.exitCode).toBe(0);
    expect(delegations(project)).toContain("1.1.1#1");
  });

  it("says nothing where the remedies stay as they are", async () => {
    const project = projectWith({ plan, script: later });
    await stopped(project, "--recovery-mode");
    expect(told(await runAgain(project, "--recovery-mode"))).toEqual([]);
  });

  it.each([
    ["--no-recovery-mode", "repair, pivot, research, checkpoint: fix taken away"],
    ["--no-repair", "fix, pivot, research, checkpoint: repair taken away"],
    ["--no-escalation", "fix, repair: pivot, research, checkpoint taken away"],
  ])("takes away what %s names and nothing else, and says so", async (flag, said) => {
    const project = projectWith({ plan, script: interrupts });
    await stopped(project, "--recovery-mode", "--repair", "--escalation");
    expect(told(await runAgain(project, flag))).toEqual([`notice: The recovery of this run is ${said}`]);
    expect(told(await runAgain(project))).toEqual([]);
    const rest = said.split(":")[0]?.split(", ") ?? [];
    expect(await remedies(project)).toMatchObject(recoveryIs(...rest));
    expect(JSON.parse(read(project.state)).recoveryMode).toBe(rest.includes("fix"));
  });

  it("keeps trying again where it is left without another remedy", async () => {
    const project = projectWith({ plan, script: later });
    await stopped(project, "--recovery-mode");
    const end = await runAgain(project, "--no-recovery-mode", "--max-task-iterations", "2");
    expect(told(end)).toEqual(["notice: The recovery of this run is retry: retry added, fix taken away"]);
    expect(end.err).toMatch(/^ERROR: Max retries reached for task 1\.1 after 2 attempts\n/);
  });

  it("that takes a spec over from another machine keeps the remedies of the run", async () => {
    const project = projectWith({ plan, script: mended });
    await runUntil(project, 20, "--recovery-mode");
    const path = journalPath(project);
    const [head = "", ...records] = read(path).split("\n");
    const { crc: _, ...header } = JSON.parse(head) as { crc: number };
    writeFileSync(path, `${sealLine({ ...header, host: "elsewhere" })}${records.join("\n")}`);
    forgetHead(project.spec);
    const end = await runAgain(project, "--take-over", "--escalation");
    expect(told(end)).toEqual([
      "notice: The recovery of this run is fix, pivot, research, checkpoint: pivot, research, checkpoint added",
    ]);
    expect(end.exitCode).toBe(0);
    expect(delegations(project)).toContain("1.1.1#1");
  });
});

describe.concurrent("a run at the limit of its iterations that is given other remedies", () => {
  const limited = async (script: string): Promise<Project> => {
    const project = projectWith({ plan, script });
    expect((await run(project, "--max-task-iterations", "2")).exitCode).toBe(1);
    return project;
  };

  it("has a fix task made for the failure it stopped at", async () => {
    const project = await limited(
      "case $id in 1.1) [ -e made ] && made || broke 'File not found: a.ts';; *) touch made; made;; esac",
    );
    const end = await runAgain(project, "--recovery-mode");
    expect(told(end)).toEqual(["notice: The recovery of this run is fix: fix added, retry taken away"]);
    expect(read(project.tasks)).toContain("[FIX 1.1] Fix: File not found: a.ts");
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1.1#1", "1.1#3"]);
  });

  it("has the repair operator asked about it", async () => {
    const project = await limited(
      "case $FIXPOINT_KEY in *askOperator*) echo 'RETRY: make it';; *#3) touch made; made;; *) broke 'it is hard';; esac",
    );
    const end = await runAgain(project, "--repair");
    expect(end.exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2", "1.1#2/askOperator", "1.1#3"]);
  });

  it("keeps the last error where the limit says no again", async () => {
    const project = await limited("broke 'File not found: a.ts'");
    const end = await runAgain(project, "--recovery-mode", "--max-fix-tasks", "0");
    expect(end.err).toContain("Max fix attempts (0) reached for task 1.1\n");
    const raised = await runAgain(project, "--no-recovery-mode");
    expect(raised.err).toContain("after 2 attempts\nLast error: File not found: a.ts\n");
  });
});

describe.concurrent("a run that another tool began in recovery mode", () => {
  it("keeps its fix tasks beside the remedies that it is given, and says what is added", async () => {
    const project = projectWith({ plan, script: mended });
    writeFileSync(project.state, JSON.stringify({ phase: "execution", recoveryMode: true }));
    const begun = await run(project, "--escalation");
    expect(told(begun)).toEqual([
      "notice: The recovery of this run is fix, pivot, research, checkpoint: pivot, research, checkpoint added",
    ]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1.1#1", "1.1#2"]);
  });

  it("does without them where it is told to", async () => {
    const project = projectWith({ plan, script: "broke it" });
    writeFileSync(project.state, JSON.stringify({ phase: "execution", recoveryMode: true }));
    const begun = await run(project, "--no-recovery-mode", "--max-task-iterations", "2");
    expect(told(begun)).toEqual(["notice: The recovery of this run is retry: retry added, fix taken away"]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#2"]);
  });

  it("says nothing of remedies where it had none of its own", async () => {
    const project = projectWith({ plan, script: mended });
    writeFileSync(project.state, JSON.stringify({ phase: "tasks", taskIndex: 0 }));
    expect(told(await run(project, "--recovery-mode"))).toEqual([]);
  });
});

describe.concurrent("remedies that a file names", () => {
  const settle = (project: Project, settings: object): void =>
    writeFileSync(join(project.workspace, "fixpoint.config.json"), JSON.stringify(settings));

  it("are joined by those of the command line, and taken away by it alone", async () => {
    const project = projectWith({ plan, script: interrupts });
    settle(project, { recoveryMode: true });
    await run(project, "--repair");
    expect(await remedies(project)).toMatchObject(recoveryIs("fix", "repair"));
    expect(await remedies(project, "--no-recovery-mode", "--no-repair", "--escalation")).toMatchObject(
      recoveryIs("retry", "pivot", "research", "checkpoint"),
    );
  });

  it("stay in the order that the file gives them", async () => {
    const project = projectWith({ plan, script: interrupts });
    settle(project, { recovery: ["fix", "retry"] });
    await run(project, "--repair");
    expect(await remedies(project)).toMatchObject(recoveryIs("fix", "retry"));
    expect(await remedies(project, "--repair", "--escalation")).toMatchObject(
      recoveryIs("fix", "retry", "repair", "pivot", "research", "checkpoint"),
    );
  });
});
