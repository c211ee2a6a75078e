import { appendFileSync, existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { openJournal, readJournal } from "../../src/adapters/journal.ts";
import { pauseFile } from "../../src/adapters/pause-file.ts";
import { readFreeJournal } from "../../src/adapters/read-free-journal.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { lastingFolder, projectWith } from "../support/project.ts";
import { journalPath } from "../support/traces.ts";

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
    const pause = pauseFile(project.data);
    const run = runSpec({
      spec: project.spec,
      workspace: project.workspace,
      executors: { executor: scriptedExecutor() },
      confirm: async () => {
        openJournal(readJournal(project.data), 1, facts);
        pause.pause();
        return true;
      },
    });
    await expect(run).rejects.toMatchObject({ code: "spec-locked" });
    expect(pause.isPaused()).toBe(true);
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
