import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../src/adapters/journal/read-journal.ts";
import { wordsFor } from "../../src/hosts/node/consent/owner-record.ts";
import { findSpec } from "../../src/hosts/node/find-spec.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import { Policy } from "../../src/model/policy.ts";
import { noSeed } from "../../src/model/run-seed.ts";
import { scriptedExecutor } from "../../src/testing/scripted-ports.ts";
import { dyingAtWrite, launch, runWords } from "../support/cli.ts";
import { takeJournal } from "../support/forced-lease.ts";
import { isStopped } from "../support/processes.ts";
import { projectWith, twoDone, works } from "../support/project.ts";
import { read } from "../support/traces.ts";
import { unknownSpeaker } from "../support/unknown-speaker.ts";
import { until } from "../support/until.ts";

const facts = {
  policy: Policy.parse({}),
  planHash: "",

  open: 1,
  seed: noSeed,
};
const takenOver = expect.objectContaining({ code: "spec-taken-over" });

describe("a coordinator whose lease is taken over", () => {
  it("begins no further executor, and prints nothing more", async () => {
    const project = projectWith();
    const executor = scriptedExecutor();
    const run = runSpec({
      spec: project.spec,
      workspace: project.workspace,
      executors: { executor },
      yes: true,
      onEvent: ({ type }) => {
        if (type === "task.delegated") takeJournal(readJournal(project.data), 1, facts);
      },
    });
    await expect(run).rejects.toEqual(takenOver);
    expect(executor.delegations).toEqual([]);
    for (const path of [project.data, project.state]) rmSync(path, { recursive: true });
    await sleep(150);
    expect(existsSync(project.state)).toBe(false);
  });
});

describe("a coordinator that lost the race for the lease", () => {
  it("leaves a pause request to the holder of the spec", async () => {
    const project = projectWith();
    const words = wordsFor(findSpec(project.spec, project.workspace));
    const run = runSpec({
      spec: project.spec,
      workspace: project.workspace,
      executors: { executor: scriptedExecutor() },
      confirm: async () => {
        takeJournal(readJournal(project.data), 1, facts);
        words.leave({ run: 1, by: unknownSpeaker, event: { type: "pause" } });
        return true;
      },
    });
    await expect(run).rejects.toMatchObject({ code: "spec-locked" });
    expect(words.read()).toMatchObject([{ event: { type: "pause" } }]);
  });
});

describe.concurrent("a coordinator stopped before one of its first writes", () => {
  it.each([1, 2, 3, 4, 5, 6, 8, 10, 12])(
    "does each task once together with another one, and leaves no draft: write %i",
    async (write) => {
      const project = projectWith({ script: `echo x >> "log-$FIXPOINT_TASK_ID"; ${works}` });
      const env = { NODE_OPTIONS: dyingAtWrite, STOP_AT_WRITE: String(write) };
      const { child, end } = launch(project.workspace, runWords(project, "--yes"), env);
      await until(() => isStopped(child.pid ?? 0));
      const other = await launch(project.workspace, runWords(project, "--yes")).end;
      child.kill("SIGCONT");
      const exits = [other, await end].map(({ exitCode }) => exitCode).sort();
      expect({ exits, err: other.err }).toMatchObject({ exits: [0, 4] });
      expect(read(project.tasks)).toBe(twoDone);
      for (const id of ["1.1", "1.2"]) expect(read(join(project.workspace, `log-${id}`))).toBe("x\n");
      const left = readdirSync(project.data, { recursive: true }).map(String);
      expect(left.filter((name) => /\.tmp$|draft/.test(name))).toEqual([]);
    },
  );
});
