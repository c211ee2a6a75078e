import { appendFileSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openJournal } from "../../src/adapters/journal/journal.ts";
import { readFreeJournal } from "../../src/adapters/journal/read-free-journal.ts";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { wordsFor } from "../../src/hosts/node/consent/owner-record.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { unknownSpeaker } from "../../src/model/speaker.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { atWork, dyingAtWrite, launch, runUntil, runWords } from "../support/cli.ts";
import { isStopped } from "../support/processes.ts";
import { lastingFolder, type Project, projectWith, twoDone, works } from "../support/project.ts";
import { journalPath, read } from "../support/traces.ts";
import { until } from "../support/until.ts";

const facts = {
  policy: Policy.parse({}),
  planHash: "",

  open: 1,
  seed: noSeed,
};
const takenOver = expect.objectContaining({ code: "spec-taken-over" });

describe("a coordinator that is taken over while it works", () => {
  it("begins no executor that it has been allowed to begin, and shows nothing any more", async () => {
    const project = projectWith();
    const executor = scriptedExecutor();
    const run = runSpec({
      spec: project.spec,
      workspace: project.workspace,
      executors: { executor },
      yes: true,
      onEvent: ({ type }) => {
        if (type === "task.delegated") openJournal(readJournal(project.data), 1, facts);
      },
    });
    await expect(run).rejects.toEqual(takenOver);
    expect(executor.delegations).toEqual([]);
    for (const path of [project.data, project.state]) rmSync(path, { recursive: true });
    await sleep(150);
    expect(existsSync(project.state)).toBe(false);
  });
});

describe("a coordinator that another was faster than", () => {
  it("leaves the wish for a pause to the one that holds the spec", async () => {
    const project = projectWith();
    const words = wordsFor(findSpec(project.spec, project.workspace));
    const run = runSpec({
      spec: project.spec,
      workspace: project.workspace,
      executors: { executor: scriptedExecutor() },
      confirm: async () => {
        openJournal(readJournal(project.data), 1, facts);
        words.leave({ run: 1, by: unknownSpeaker, event: { type: "pause" } });
        return true;
      },
    });
    await expect(run).rejects.toMatchObject({ code: "spec-locked" });
    expect(words.read()).toMatchObject([{ event: { type: "pause" } }]);
  });
});

describe.concurrent("a coordinator that has found a spec free and is killed as it claims it", () => {
  const draft = /^journal-1\.ndjson-\d+-[0-9a-f]{8}\.tmp$/;
  const filesOf = ({ data }: Project): string[] =>
    existsSync(join(data, "run-1")) ? readdirSync(join(data, "run-1")) : [];
  const waiting = () => projectWith({ script: `touch started; until [ -e go ]; do sleep 0.05; done; ${works}` });

  /** The first of its writes behind that of its draft. */
  async function writeBehindDraft(): Promise<number> {
    for (let write = 1; write < 20; write += 1) {
      const project = waiting();
      await runUntil(project, write);
      if (filesOf(project).some((name) => draft.test(name))) return write;
    }
    throw new Error("Cannot go on with the test, expected a coordinator to write a draft");
  }

  /** Start one that stops before one of its writes, and is killed before a later one. */
  async function stopped(project: Project, stop: number, die: number) {
    // Where compiled code cannot be kept, writing it is none of the writes that are counted.
    const cache = { XDG_CACHE_HOME: "/dev/null" };
    const env = { ...cache, NODE_OPTIONS: dyingAtWrite, STOP_AT_WRITE: String(stop), DIE_AT_WRITE: String(die) };
    const launched = launch(project.workspace, runWords(project, "--yes"), env);
    await until(() => isStopped(launched.child.pid ?? 0));
    return launched;
  }

  it("leaves nothing in a run that another one then completes", { timeout: 60_000 }, async () => {
    const behind = await writeBehindDraft();
    const project = waiting();
    const { child, end } = await stopped(project, behind - 1, behind);
    const other = await atWork(project);
    child.kill("SIGCONT");
    expect((await end).signal).toBe("SIGKILL");
    expect(filesOf(project).filter((name) => draft.test(name))).toHaveLength(1);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await other.end).exitCode).toBe(0);
    expect(read(project.tasks)).toBe(twoDone);
    expect(filesOf(project).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  // The first write claims the workspace, the second keeps the consent.
  it.each([3, 4, 5])("leaves nothing in a run that another one has completed: write %i", async (die) => {
    const project = waiting();
    const { child, end } = await stopped(project, 2, die);
    writeFileSync(join(project.workspace, "go"), "");
    expect((await (await atWork(project)).end).exitCode).toBe(0);
    child.kill("SIGCONT");
    expect(await end).toMatchObject({ exitCode: 4, err: expect.stringContaining("Cannot take the spec") });
    expect(filesOf(project).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});

describe("readFreeJournal", () => {
  it("reads what stands before a torn end", () => {
    const base = lastingFolder();
    const journal = openJournal(readJournal(base), 1, facts);
    journal.close();
    appendFileSync(journalPath({ ...projectWith(), data: base }), '{"n":2,"at":');
    expect(readFreeJournal(base, { takeOver: false })).toEqual(readJournal(base));
  });

  it("is refused while another coordinator holds the spec", () => {
    const base = lastingFolder();
    openJournal(readJournal(base), 1, facts);
    expect(() => readFreeJournal(base, { takeOver: false })).toThrow(expect.objectContaining({ code: "spec-locked" }));
  });
});
