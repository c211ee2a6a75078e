import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { EnvironmentError, InputError } from "../../src/model/errors.ts";
import type { RunEvent } from "../../src/model/event.ts";
import { Policy } from "../../src/model/policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { run } from "../../src/runtime/run.ts";
import type { RunSetup } from "../../src/runtime/run-setup.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { memoryPorts } from "../support/memory-run.ts";

const plan = `# Tasks

- [ ] 1.1 [P] First
  - **Files**: src/a.ts
  - **Verify**: \`check 1.1\`
- [ ] 1.2 [P] Second
  - **Files**: src/b.ts
  - **Verify**: \`check 1.2\`
`;
const full = (): EnvironmentError =>
  new EnvironmentError("Cannot write `journal`: ENOSPC", { code: "file-refused", hint: "Make room" });

function twoMembers(refuses: (record: RunRecord) => boolean = () => false, last: Reply | string = "TASK_COMPLETE") {
  const records: RunRecord[] = [];
  const told: unknown[] = [];
  const execute: Executor = async ({ taskId }, signal) => {
    if (taskId === "1.1") return "TASK_COMPLETE";
    await new Promise<void>((settle) => signal.addEventListener("abort", () => settle()));
    told.push(signal.reason);
    return last;
  };
  const memory = createRunMemory({
    open: 2,
    store: {
      append: (made) => {
        if (made.some(refuses)) throw full();
        records.push(...made);
      },
      writeOutput: () => {},
      readOutput: async () => "",
    },
  });
  const store = memoryStore(plan);
  const setup: RunSetup = {
    ports: withMemory({ ...memoryPorts(store, execute), attempts: memory }),
    memory,
    policy: Policy.parse({}),
    records: [],
    midTurn: false,
    onEvent: () => {},
    refreshViews: async () => {},
    signal: new AbortController().signal,
  };
  const answered = (): string[] => records.flatMap((record) => (record.type === "answered" ? [record.key] : []));
  return { setup, store, told, answered };
}

const refused = { outcome: "environment", exitCode: 5, error: "Cannot write `journal`: ENOSPC", hint: "Make room" };

describe("run, if an error stops it during other effects", () => {
  it("aborts them, and waits for their end, if an answer cannot be recorded", async () => {
    const { setup, told, answered } = twoMembers(
      (record) => record.type === "answered" && record.key === "1.1#1/delegate",
    );
    expect(await run(setup)).toMatchObject({ ended: refused, settled: true });
    expect(told).toEqual([full()]);
    // Answers after the failed append are discarded, so their effects are requested again.
    expect(answered().filter((key) => key.endsWith("/delegate"))).toEqual([]);
  });

  it("aborts them if a view cannot be written, and records their answers", async () => {
    const { setup, store, told, answered } = twoMembers();
    const refreshViews = async (): Promise<void> => {
      if (store.tasks.text.includes("[x] 1.1")) throw full();
    };
    expect(await run({ ...setup, refreshViews })).toMatchObject({ ended: refused, settled: true });
    expect(told).toEqual([full()]);
    expect(answered()).toContain("1.2#1/delegate");
  });

  it("ignores replies of the executors it has aborted", async () => {
    const ended: Reply = { text: "TASK_COMPLETE", exitCode: 0, ended: "signal" };
    const { setup, store, told, answered } = twoMembers(() => false, ended);
    const refreshViews = async (): Promise<void> => {
      if (store.tasks.text.includes("[x] 1.1")) throw full();
    };
    expect(await run({ ...setup, refreshViews })).toMatchObject({ ended: refused, settled: true });
    expect(told).toEqual([full()]);
    expect(answered()).not.toContain("1.2#1/delegate");
  });

  it("aborts them for our own defects too, which are rethrown", async () => {
    const { setup, told } = twoMembers();
    const defect = new Error("a defect");
    const onEvent = ({ type }: RunEvent): void => {
      if (type === "task.passed") throw defect;
    };
    await expect(run({ ...setup, onEvent })).rejects.toBe(defect);
    expect(told).toEqual([defect]);
  });
});

describe("run, if it cannot end properly", () => {
  it("ends for that reason, and reports that the documents are not settled", async () => {
    const { setup, store } = twoMembers();
    const execute: Executor = async () => "TASK_COMPLETE";
    const executors = { executor: execute, verifier: execute };
    const documents = {
      ...store,
      tick: async (task: string, done: boolean) => {
        if (!done) throw full();
        return store.tick(task, done);
      },
    };
    const ports = withMemory({ ...setup.ports, documents, executors, attempts: setup.memory });
    const meddling = async (): Promise<void> => {
      store.tasks.text = `${store.tasks.text}- [x] 1.3 Third\n`;
    };
    const { ended, settled } = await run({ ...setup, ports, refreshViews: meddling });
    expect({ ended, settled }).toMatchObject({ ended: refused, settled: false });
  });
});

describe("run, if it is stopped from outside", () => {
  it("reports that another coordinator holds the spec now", async () => {
    const taken = new EnvironmentError("Taken", { code: "spec-taken-over" });
    const { setup } = twoMembers();
    const refreshViews = async (): Promise<void> => {
      throw taken;
    };
    await expect(run({ ...setup, refreshViews })).rejects.toBe(taken);
  });

  it.each([
    ["Look there", "Look there"],
    [undefined, "Look at tasks.md, then run again"],
  ])("asks a person about invalid input", async (hint, told) => {
    const { setup } = twoMembers();
    const refreshViews = async (): Promise<void> => {
      throw new InputError("Cannot go on", { code: "plan-refused", ...(hint !== undefined && { hint }) });
    };
    const { ended } = await run({ ...setup, refreshViews });
    expect(ended).toMatchObject({ outcome: "gate", error: "Cannot go on", hint: told });
  });

  it("keeps the first of two refusals", async () => {
    const { setup, store } = twoMembers((record) => record.type === "answered");
    const documents = {
      ...store,
      tick: async () => {
        throw new EnvironmentError("Cannot tick", { code: "file-refused" });
      },
    };
    const ports = withMemory({ ...setup.ports, documents, attempts: setup.memory });
    await ports.plan.known();
    store.tasks.text = `${store.tasks.text}- [x] 1.3 Third\n`;
    const { ended, settled } = await run({ ...setup, ports });
    expect({ ended, settled }).toMatchObject({ ended: refused, settled: false });
  });
});
