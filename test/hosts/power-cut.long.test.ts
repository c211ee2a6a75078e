import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sealLine } from "../../src/adapters/journal/journal-segment.ts";
import { atWork } from "../support/cli.ts";
import { runAccepting, runAgain } from "../support/cli-here.ts";
import { openLine } from "../support/open-line.ts";
import { forgetHead } from "../support/owner-folder.ts";
import { type Project, projectWith, twoDone } from "../support/project.ts";
import { delegations, journalPath, read, recordsOf } from "../support/traces.ts";

const script = "[ $id = 1.1 ] && touch one || { [ -e again ] || { touch again started; sleep 60; }; touch two; }; made";

async function cutOff(
  boot: (before: string) => string | null,
  left: (line: string) => string = () => "",
): Promise<Project & { readonly log: string }> {
  const project = projectWith({ script });
  const { child, end } = await atWork(project);
  child.kill("SIGKILL");
  await end;
  const log = read(project.progress);
  expect(log).toContain("- [x] 1.1");
  const [line = ""] = /^- \[x\] 1\.1.*\n/m.exec(log) ?? [];
  writeFileSync(project.progress, `${log.replace(line, "")}${left(line)}`);
  writeFileSync(project.tasks, read(project.tasks).replace("[x] 1.1", "[ ] 1.1"));
  const path = journalPath(project);
  const [head = "", ...lines] = read(path).split("\n");
  const { crc: _, ...header } = openLine(head) as { crc?: unknown; boot: string };
  writeFileSync(path, `${sealLine({ ...header, boot: boot(header.boot) })}${lines.join("\n")}`);
  // The new header may differ in length from the length in the user data.
  forgetHead(project.spec);
  return { ...project, log };
}

const another = (boot: string): string => boot.replace(/.$/, (last) => (last === "0" ? "1" : "0"));

describe.concurrent("lost writes of a run after a pass", () => {
  it("are restored if the machine has booted since", async () => {
    const project = await cutOff(another);
    const { exitCode, out } = await runAgain(project);
    expect({ exitCode, out }).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(/^notice: 1 box of the last run restored after a power cut$/m),
    });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
    const [, line] = /^(- \[x\] 1\.1.*)$/m.exec(project.log) ?? [];
    expect(
      read(project.progress)
        .split("\n")
        .filter((each) => each === line),
    ).toHaveLength(1);
    expect(recordsOf(project, 2)[0]).toMatchObject({ type: "flushed", tasks: ["1.1"] });
  });

  it("are restored if the disk kept the length of the log, but zeros in place of its text", async () => {
    const project = await cutOff(another, (line) => "\0".repeat(line.length));
    expect((await runAgain(project)).exitCode).toBe(0);
    const log = read(project.progress);
    expect(log).toContain(/^- \[x\] 1\.1.*\n/m.exec(project.log)?.[0]);
    expect(log).not.toContain("\0");
  });

  it("count as reverted by a person otherwise, and the task is done again", async () => {
    const project = await cutOff((boot) => boot);
    const { exitCode, out } = await runAgain(project);
    expect(out).not.toContain("power cut");
    expect(exitCode).toBe(0);
    expect(delegations(project).filter((key) => key.startsWith("1.1#"))).toHaveLength(2);
  });

  it("raise a question if it is unknown whether the machine has booted", async () => {
    const project = await cutOff(() => null);
    const before = read(project.tasks);
    const asked = await runAgain(project);
    expect(asked).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining("a power cut or a person cleared the boxes of tasks that have passed: 1.1"),
    });
    expect(asked.err).toMatch(/Do the tasks again: fixpoint run .*--new-run/);
    expect(read(project.tasks)).toBe(before);
    const { exitCode, out } = await runAccepting(project, asked);
    expect({ exitCode, out }).toMatchObject({ exitCode: 0, out: expect.stringContaining("1 box of the last run") });
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1", "1.2#1"]);
  });
});
