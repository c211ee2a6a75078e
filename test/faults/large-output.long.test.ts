import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atWork } from "../support/cli.ts";
import { call, run, runAgain } from "../support/cli-here.ts";
import { mountSmall } from "../support/mount-small.ts";
import { type Project, projectWith, twoDone, twoTasks, works, writeExecutor } from "../support/project.ts";
import { delegations, read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const mib = 1024 * 1024;
const outputOf = ({ data }: Project, name: string): string => join(data, "run-1/out", name.replaceAll("/", "%2F"));
/** Lines are long because the output of Verify is read line after line, and short lines take much longer. */
const without = "yes \"$(seq -s ' ' 1000)\"";
const flood = `${without} | head -c 300000000`;
const missing = /^\[fixpoint: 26\d{7} bytes are left out here\]$/m;

describe.concurrent("a run with output of any size", () => {
  it("ends as usual, and keeps both ends of it", async () => {
    const verify = `${flood}; test -e one`;
    const plan = twoTasks.replace("test -e one", verify);
    const project = projectWith({ plan, script: `${flood}; echo; ${works}` });
    expect(await run(project)).toMatchObject({ exitCode: 0, err: "" });
    expect(read(project.tasks)).toBe(plan.replaceAll("[ ]", "[x]"));
    expect(delegations(project)).toEqual(["1.1#1", "1.2#1"]);
    for (const name of ["1.1#1.out", "1.1#1/verify.out", "1.2#1.out"]) {
      const path = outputOf(project, name);
      expect(statSync(path).size).toBeLessThan(33 * mib);
      expect(readFileSync(path, "utf8")).toMatch(missing);
    }
    const { out } = await call(project, "logs", "1.1", project.spec);
    expect(out).toContain("TASK_COMPLETE");
  });

  it("reads the failures of a Verify from both ends", async () => {
    const verify = `echo not ok 1 - the first; ${flood}; echo; echo not ok 2 - the last; echo 1..2; test -e two`;
    const plan = `${twoTasks.replace("test -e one", verify)}`;
    const project = projectWith({
      plan,
      script: `printf '%s' "$prompt" > "$id.$FIXPOINT_ATTEMPT"; [ $FIXPOINT_ATTEMPT = 2 ] && touch two; made`,
    });
    expect((await run(project)).exitCode).toBe(0);
    const prompt = readFileSync(join(project.workspace, "1.1.2"), "utf8");
    expect(prompt).toContain("the first");
    expect(prompt).toContain("the last");
  });

  it("resumes after a kill in the middle of it", async () => {
    const project = projectWith({ script: "touch started; exec yes" });
    const { child, end } = await atWork(project);
    const path = outputOf(project, "1.1#1.out");
    await until(() => statSync(path).size > 100 * mib);
    child.kill("SIGKILL");
    await end;
    writeExecutor(project.workspace, works);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
    expect(read(project.tasks)).toBe(twoDone);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
    expect(statSync(path).size).toBeLessThan(1000);
  });

  it("ends an executor that prints more than --max-output", async () => {
    const project = projectWith({ script: without });
    const { exitCode, out, err } = await run(project, "--max-output", "2m", "--max-task-iterations", "1");
    expect(exitCode).toBe(1);
    expect(out + err).toContain("Stopped after 2 MiB of output (--max-output)");
  });

  it("fails a Verify that prints more than --max-output", async () => {
    const project = projectWith({ plan: twoTasks.replace("test -e one", `${without}; test -e one`), script: works });
    const { exitCode } = await run(project, "--max-output", "2m", "--max-task-iterations", "1");
    expect(exitCode).toBe(1);
    expect(read(project.tasks)).toContain("- [ ] 1.1");
  });
});

const fill =
  'room=$(df -Pk "$FIXPOINT_SPEC" | awk "NR == 2 { print \\$4 }"); head -c $(((room - 300) * 1024)) /dev/zero > "$FIXPOINT_SPEC/fill"';
const prints = "head -c 20000000 /dev/zero; echo";

it.for([
  ["an executor's", `${prints}; ${fill}; echo more; sleep 60`, "test -e one"],
  ["a Verify's", works, `[ -e again ] || { touch again; ${prints}; ${fill}; echo more; sleep 60; }`],
] as const)(
  "output that is about to fill the disk is the environment's fault: %s",
  async ([whose, script, verify], { skip }) => {
    const plan = twoTasks.replace("test -e one", verify);
    const project = projectWith({ script });
    if (!mountSmall(project.spec, "64m")) return skip("no disk can be mounted here");
    writeFileSync(project.tasks, plan);
    const words = ["--recovery-mode", "--max-task-iterations", "1"];
    const { exitCode, err } = await run(project, ...words);
    expect({ exitCode, err }).toEqual({
      exitCode: 5,
      err: expect.stringMatching(/Cannot store the output of `.*(?:only \d+ KiB are left on its disk)/),
    });
    rmSync(join(project.spec, "fill"));
    writeExecutor(project.workspace, works);
    expect(await runAgain(project, ...words)).toMatchObject({ exitCode: 0 });
    expect(read(project.tasks)).toBe(plan.replaceAll("[ ]", "[x]"));
    expect(delegations(project)).toEqual(["1.1#1", ...(whose === "a Verify's" ? [] : ["1.1#1"]), "1.2#1"]);
  },
);
