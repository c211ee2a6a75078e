import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { wordsFor } from "../../src/hosts/node/consent/owner-record.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { atWork, call, launch, runWords } from "../support/cli.ts";
import { runAgain } from "../support/cli-here.ts";
import { forgeHolder } from "../support/forced-lease.ts";
import { alive } from "../support/processes.ts";
import { type Project, projectWith, twoDone, works, writeExecutor } from "../support/project.ts";
import { delegations, read, recordsOf } from "../support/traces.ts";
import { until } from "../support/until.ts";

const comm = readFileSync("/proc/self/comm", "utf8").trim();
const by = { kind: "program", terminal: null, process: comm, pid: process.pid } as const;

/** A coordinator whose executor has begun. */
async function working(script: string) {
  const project = projectWith({ script });
  return { project, ...(await atWork(project)) };
}

/** What is said to a run, and not heard yet. */
const wordsOf = ({ spec, workspace }: Project) => wordsFor(findSpec(spec, workspace)).read();

describe.concurrent("fixpoint stop", () => {
  it.each([
    ["silent", "touch started; sleep 60"],
    ["deaf to SIGTERM", "trap '' TERM; touch started; while :; do sleep 0.1; done"],
  ])("ends a run whose executor is %s, so that it can go on", async (_, script) => {
    const { project, child, end } = await working(script);
    expect(await call(project, "stop", "spec")).toEqual({
      exitCode: 0,
      signal: null,
      out: `Stopped spec: coordinator ${child.pid} has ended. Go on: fixpoint run spec\n`,
      err: "",
    });
    expect((await end).exitCode).toBe(130);
    expect(alive(project)).toEqual([]);
    expect(recordsOf(project).at(-1)).toMatchObject({
      type: "ended",
      ending: { outcome: "interrupted" },
      by,
    });
    expect((await call(project, "why", "1.1", "spec")).out).toContain(
      `start 1 ended: interrupted, stopped by ${comm}, process ${process.pid}`,
    );
    expect(wordsOf(project)).toEqual([]);
    writeExecutor(project.workspace, works);
    expect((await runAgain(project)).exitCode).toBe(0);
    expect(delegations(project)).toEqual(["1.1#1", "1.1#1", "1.2#1"]);
    expect(read(project.tasks)).toBe(twoDone);
  });

  it("is not taken for who has ended a later start", async () => {
    const { project, child, end } = await working("touch started; sleep 60");
    wordsFor(findSpec(project.spec, project.workspace)).leave({ run: 1, by, event: { type: "stop" } });
    child.kill("SIGKILL");
    await end;
    const again = launch(project.workspace, runWords(project, "--yes"));
    await until(() => delegations(project).length === 2);
    again.child.kill("SIGINT");
    expect((await again.end).exitCode).toBe(130);
    expect(recordsOf(project, 2).at(-1)).not.toHaveProperty("by");
  });

  it("refuses when nobody runs the spec, and leaves nothing", async () => {
    const project = projectWith();
    const refusal = {
      exitCode: 2,
      err: "ERROR: Cannot stop `spec`, expected a run that is going on here\nSee where it stands: fixpoint status spec\n",
    };
    expect(await call(project, "stop", "spec")).toMatchObject(refusal);
    expect(existsSync(project.data)).toBe(false);
    expect((await launch(project.workspace, runWords(project, "--yes")).end).exitCode).toBe(0);
    expect(await call(project, "stop", "spec")).toMatchObject(refusal);
    expect(wordsOf(project)).toEqual([]);
  });

  it("ends no process that has the id of a coordinator that is gone", async () => {
    const { project, child, end } = await working("touch started; sleep 60");
    child.kill("SIGKILL");
    await end;
    // This process, which would not survive it.
    forgeHolder(project.data, { pid: process.pid, pidStart: "1" });
    expect(await call(project, "stop", "spec")).toMatchObject({ exitCode: 2 });
  });

  it("says where a run is that another machine holds", async () => {
    const { project, child, end } = await working("touch started; sleep 60");
    child.kill("SIGKILL");
    await end;
    forgeHolder(project.data, { host: "elsewhere" });
    expect(await call(project, "stop", "spec")).toMatchObject({
      exitCode: 4,
      err: `ERROR: Cannot stop \`spec\` from here, process ${child.pid} on \`elsewhere\` holds it\nStop it there: fixpoint stop spec\n`,
    });
  });
});

describe.concurrent("a coordinator that does not look", () => {
  it("is said not to have heard yet, and hears when it looks", async () => {
    const { project, child, end } = await working(
      "touch started; while [ ! -e go ]; do sleep 0.05; done; touch one two; made",
    );
    child.kill("SIGSTOP");
    const goOn = "Go on: fixpoint resume spec\n";
    expect(await call(project, "pause", "spec")).toMatchObject({
      exitCode: 0,
      out: `Pausing spec: coordinator ${child.pid} has not noticed it yet. As soon as it does, it starts nothing more. ${goOn}`,
    });
    child.kill("SIGCONT");
    const said = () => recordsOf(project).flatMap((each) => (each.type === "said" ? [each] : []));
    await until(() => said().length === 1);
    expect(said()).toMatchObject([{ event: { type: "pause" }, by }]);
    child.kill("SIGSTOP");
    expect(await call(project, "resume", "spec")).toMatchObject({
      exitCode: 0,
      out: `Resuming spec: coordinator ${child.pid} has not noticed it yet. It goes on as soon as it does.\n`,
    });
    child.kill("SIGCONT");
    await until(() => said().length === 2);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await end).exitCode).toBe(0);
  });

  it("is said to have ended when it does before", async () => {
    const { project, child, end } = await working("touch started; sleep 60");
    child.kill("SIGSTOP");
    const paused = call(project, "pause", "spec");
    await until(() => wordsOf(project).length === 1);
    child.kill("SIGKILL");
    await end;
    expect(await paused).toMatchObject({
      exitCode: 0,
      out: `Not paused: coordinator ${child.pid} ended before it noticed. See how: fixpoint status spec\n`,
    });
  });
});
