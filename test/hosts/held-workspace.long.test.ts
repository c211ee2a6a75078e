import { fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { bundleFile } from "../support/bundle-file.mjs";
import { atWork, begun, call, launch, run, runAgain, runWords } from "../support/cli.ts";
import { ownerFolder } from "../support/owner-folder.ts";
import { livingWith } from "../support/processes.ts";
import { lastingFolder, type Project, projectAt, projectWith, works } from "../support/project.ts";
import { until } from "../support/until.ts";

const waits = `case $FIXPOINT_SPEC in */other) ;; *) touch started; until [ -e go ]; do sleep 0.05; done ;; esac; ${works}`;

function beside({ workspace, spec }: Project, name = "other"): Project {
  const folder = join(workspace, name);
  mkdirSync(folder);
  cpSync(join(spec, "tasks.md"), join(folder, "tasks.md"));
  return projectAt(workspace, folder);
}
const goOn = ({ workspace }: Project): void => writeFileSync(join(workspace, "go"), "");

describe.concurrent("a workspace with a running run", () => {
  it("is refused to another spec, which reports the holder and what to do", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    const { child, end } = await atWork(project);
    const refused = await run(other);
    expect(refused).toMatchObject({ exitCode: 4, out: "" });
    expect(refused.err).toContain(`a run of \`spec\` works there (process ${child.pid}, since `);
    expect(refused.err).toContain("or end it: fixpoint stop spec\n");
    const shared = `fixpoint run ${other.spec} --exec ./executor.sh --reporter plain --yes --share-workspace`;
    expect(refused.err).toContain(shared.replace(other.spec, "other"));
    expect(existsSync(other.data)).toBe(false);
    const allowed = await run(other, "--share-workspace");
    expect(allowed.exitCode).toBe(0);
    goOn(project);
    expect((await end).exitCode).toBe(0);
    expect((await run(beside(project, "third"))).exitCode).toBe(0);
  });

  it("is leased by its real path", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    const link = join(lastingFolder(), "link");
    symlinkSync(project.workspace, link);
    const { end } = await atWork(project);
    const refused = await launch(link, [...runWords(other), "--yes"]).end;
    expect(refused).toMatchObject({ exitCode: 4, err: expect.stringContaining("works there") });
    goOn(project);
    await end;
  });

  it("is leased by resume as well, and released after a stop", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    const first = await atWork(project);
    expect((await call(project, "stop", project.spec)).exitCode).toBe(0);
    expect((await first.end).exitCode).toBe(130);
    rmSync(join(project.workspace, "started"));
    const { end } = launch(project.workspace, ["resume", ...runWords(project).slice(1)]);
    await begun(project);
    expect((await run(other)).err).toContain("works there");
    goOn(project);
    expect((await end).exitCode).toBe(0);
    expect((await run(other)).exitCode).toBe(0);
  });

  it("is free at once after the holder was killed", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    for (let round = 0; round < 3; round += 1) {
      const { child, end } = await atWork(project);
      rmSync(join(project.workspace, "started"));
      child.kill("SIGKILL");
      await end;
    }
    expect(livingWith(`FIXPOINT_SPEC=${project.spec}`)).not.toEqual([]);
    expect((await run(other)).exitCode).toBe(0);
    expect(livingWith(`FIXPOINT_SPEC=${project.spec}`)).toEqual([]);
    goOn(project);
    expect(await runAgain(project)).toMatchObject({ exitCode: 0 });
  });

  it("is refused to runs that do not share it while a sharing run works", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    const { end } = await atWork(project, "--share-workspace");
    expect((await run(other)).err).toContain("works there");
    goOn(project);
    expect((await end).exitCode).toBe(0);
  });

  it("is refused to the same spec after its run data was removed", async () => {
    const project = projectWith({ script: waits });
    const { child } = await atWork(project);
    process.kill(child.pid as number, "SIGSTOP");
    rmSync(project.data, { recursive: true });
    expect(await run(project, "--new-run")).toMatchObject({
      exitCode: 4,
      err: expect.stringContaining(`process ${child.pid} on`),
    });
    expect(await run(project, "--new-run", "--share-workspace")).toMatchObject({ exitCode: 4 });
    child.kill("SIGKILL");
  });

  it("is shared by a config file only with consent", async () => {
    const project = projectWith({ script: waits });
    const other = beside(project);
    writeFileSync(join(other.spec, "fixpoint.config.json"), '{"shareWorkspace": true}');
    const { end } = await atWork(project);
    expect((await runAgain(other)).err).toContain("shareWorkspace: true");
    expect((await run(other)).exitCode).toBe(0);
    goOn(project);
    await end;
  });

  it("is not affected by run data from a repository", async () => {
    const project = projectWith();
    await run(project);
    const clone = projectWith({ script: works });
    cpSync(project.data, clone.data, { recursive: true });
    expect((await run(beside(clone))).exitCode).toBe(0);
  });
});

describe("a workspace requested at the same moment", () => {
  it("goes to exactly one of many processes each time, and to another one after that is killed", async () => {
    const { file, remove } = await bundleFile(resolve(import.meta.dirname, "../.."), "test/support/claim-workspace.ts");
    const folder = lastingFolder();
    const claimers = Array.from({ length: 12 }, (_, index) => fork(file, [folder, `/spec-${index}`]));
    const gone = claimers.map((child) => once(child, "exit"));
    const heard = (): Promise<readonly { won: boolean }[]> =>
      Promise.all(claimers.filter((child) => child.connected).map(async (child) => (await once(child, "message"))[0]));
    const tell = async (word: string) => {
      const answers = heard();
      for (const child of claimers) if (child.connected) child.send(word);
      return await answers;
    };
    await heard();
    for (let round = 0; round < 20; round += 1) {
      const winners = (await tell("claim")).flatMap(({ won }, index) => (won ? [index] : []));
      expect(winners).toHaveLength(1);
      const [winner = 0] = winners;
      if (round % 2 === 0 || claimers.filter((child) => child.connected).length < 4) await tell("release");
      else {
        const [victim] = claimers.filter((child) => child.connected).slice(winner, winner + 1);
        victim?.kill("SIGKILL");
        await until(() => victim?.connected === false);
      }
    }
    expect(readdirSync(folder).length).toBeLessThan(12);
    for (const child of claimers) child.kill("SIGKILL");
    await Promise.all(gone);
    remove();
  });

  it("goes to one of two runs in one program, and to both if they share it", async () => {
    const project = projectWith();
    const specs = [project, beside(project), beside(project, "third")];
    const begin = ({ spec, workspace }: Project, more: object) =>
      runSpec({
        spec,
        workspace,
        executors: { executor: scriptedExecutor({}) },
        policy: { trustExecutor: true },
        ...more,
      });
    const refused: string[] = [];
    const executor = async (): Promise<string> => {
      await expect.poll(() => refused.length).toBe(2);
      return "TASK_COMPLETE";
    };
    const alone = specs.map((each) => begin(each, { executors: { executor } }));
    for (const each of alone) each.catch((error) => refused.push(error.code));
    const ends = await Promise.allSettled(alone);
    expect(refused).toEqual(["workspace-held", "workspace-held"]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const all = await Promise.all(specs.map((each) => begin(each, { shareWorkspace: true })));
    expect(all.map(({ outcome }) => outcome)).toEqual(["complete", "complete", "complete"]);
  });
});

it("a lease on a workspace is recorded outside of the workspace, which stays clean", async () => {
  const project = projectWith();
  const before = readdirSync(project.workspace);
  expect((await run(project)).exitCode).toBe(0);
  expect(readdirSync(project.workspace).sort()).toEqual([...before, "delegations.log", "one", "two"].sort());
  expect(existsSync(join(ownerFolder(project.spec), "..", "workspaces"))).toBe(true);
});
