import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { begun, runWords } from "../support/cli.ts";
import { livingWith } from "../support/processes.ts";
import { projectWith, twoDone, works, writeExecutor } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";
import { until } from "../support/until.ts";
import { hindranceToHide, isRoot, launchWithoutProc } from "../support/without-proc.ts";

let seconds = 6000;
const lasting = (): string => {
  seconds += 1;
  return `${process.pid}.${seconds}`;
};

const living = (mark: string) => livingWith(`sleep\0${mark}`);

const plan = (verify: string) => `# Tasks\n\n- [ ] 1.1 First\n  - **Do**: It\n  - **Verify**: \`${verify}\`\n`;
const deaf = (mark: string) => `trap "" TERM; touch started; while :; do sleep ${mark}; done`;

describe.skipIf(hindranceToHide() !== null).concurrent("without /proc, by ps", () => {
  it.each([
    ["in its group", (mark: string) => `sleep ${mark} & true`],
    ["in a session of its own", (mark: string) => `setsid sleep ${mark} & true`],
    ["as a daemon", (mark: string) => `setsid sh -c "setsid sleep ${mark} & exit 0" & sleep 0.05`],
  ])("processes that a Verify command leaves are ended: %s", async (_, leave) => {
    const mark = lasting();
    const project = projectWith({ plan: plan(leave(mark)), script: "made" });
    expect(await launchWithoutProc(project, runWords(project, "--yes")).end).toMatchObject({ exitCode: 0, err: "" });
    expect(living(mark)).toEqual([]);
  });

  it.each([
    ["in its group", (mark: string) => deaf(mark)],
    [
      "in a session of its own, without its marks",
      (mark: string) => `env -i "PATH=$PATH" setsid sh -c '${deaf(mark)}'`,
    ],
  ])("an executor that ignores SIGTERM is ended by an interrupt: %s", async (_, script) => {
    const mark = lasting();
    const project = projectWith({ script: script(mark) });
    const { child, end } = launchWithoutProc(project, runWords(project, "--yes"));
    await begun(project);
    child.kill("SIGINT");
    expect(await end).toMatchObject({ exitCode: 130, err: expect.stringMatching(/^Interrupted/) });
    expect(living(mark)).toEqual([]);
  });

  it.skipIf(!isRoot)("an executor left by a killed coordinator is ended before the run resumes", async () => {
    const mark = lasting();
    const project = projectWith({ script: `setsid sleep ${mark} & touch started; sleep ${mark}` });
    const { child } = launchWithoutProc(project, runWords(project, "--yes"));
    await begun(project);
    await until(() => living(mark).length === 2);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(living(mark)).toHaveLength(2);
    writeExecutor(project.workspace, works);
    expect(await launchWithoutProc(project, runWords(project)).end).toMatchObject({ exitCode: 0 });
    expect(living(mark)).toEqual([]);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });
});
