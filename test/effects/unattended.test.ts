import { describe, expect, it } from "vitest";
import type { RunState } from "../../src/model/run-state.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun as emptyRun } from "../../src/run/new-run.ts";
import { scriptedShell } from "../../src/testing/scripted-ports.ts";
import { type EvidenceWorld, playEvidence } from "../support/evidence-run.ts";
import { continueRun, delegatedIn, type MemoryRun, newRun } from "../support/memory-run.ts";
import { someMoments } from "../support/some-cases.ts";

const ids = Array.from({ length: 10 }, (_, index) => `1.${index + 1}`);
const task = (id: string, more: readonly string[] = []): string =>
  [`- [ ] ${id} Task ${id}`, `  - **Files**: src/${id}.ts`, ...more.map((line) => `  - ${line}`)].join("\n");
const plan = (more: Readonly<Record<string, readonly string[]>> = {}): string =>
  `# Tasks\n\n## Phase 1\n\n${ids.map((id) => task(id, more[id])).join("\n")}\n`;

const night: EvidenceWorld = {
  plan: plan({ "1.5": ["**Do**: Use it. Depends on 1.3."] }),
  work: { "1.3": () => "BLOCKED: which port?", "1.7": () => "BLOCKED: which host?" },
  policy: { unattended: true },
};

describe("an unattended run", () => {
  it("does everything that does not wait, and ends with all questions in one list", async () => {
    const { made, ended } = await playEvidence(night);
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.3", "1.4", "1.6", "1.7", "1.8", "1.9", "1.10"]);
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(ended?.error).toBe(
      [
        "All else is done; 2 questions wait for a person",
        "1.3: The executor of task 1.3 asks: which port?",
        "1.7: The executor of task 1.7 asks: which host?",
        "Tasks that wait for the answers: 1.5",
      ].join("\n"),
    );
    expect(ended?.hint).toMatchInlineSnapshot(`
      "1.3: Answer the question: fixpoint resume sample --task 1.3 --guidance "…"
      1.3: Retry the task: fixpoint resume sample --task 1.3 --decision retry
      1.3: Skip the task: fixpoint resume sample --task 1.3 --decision skip
      1.3: End the run: fixpoint resume sample --task 1.3 --decision stop
      1.7: Answer the question: fixpoint resume sample --task 1.7 --guidance "…"
      1.7: Retry the task: fixpoint resume sample --task 1.7 --decision retry
      1.7: Skip the task: fixpoint resume sample --task 1.7 --decision skip
      1.7: End the run: fixpoint resume sample --task 1.7 --decision stop"
    `);
  });

  it("ends at the first question if it is attended", async () => {
    const { made, ended } = await playEvidence({ ...night, policy: {} });
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.3"]);
    expect(ended).toMatchObject({ outcome: "gate", error: "The executor of task 1.3 asks: which port?" });
  });

  it("reaches the same end wherever it is killed, and asks and does nothing twice", async () => {
    const whole = await playEvidence(night);
    const done = ids.filter((id) => !["1.3", "1.5", "1.7"].includes(id));
    for (const kill of someMoments(whole.made.records.length - 1)) {
      const { made, ended } = await playEvidence(night, kill);
      expect([kill, ended?.error, ended?.hint]).toEqual([kill, whole.ended?.error, whole.ended?.hint]);
      expect(made.store.tasks.text.match(/(?<=\[x\] )\S+/g)).toEqual(done);
      expect(new Set(made.records.flatMap((one) => (one.type === "delegated" ? [one.key] : []))).size).toBe(9);
    }
  });

  it("holds back dependents: tasks with the same Files, checks of the phase, the goal, and tasks that depend on those", async () => {
    const text = plan({ "1.8": ["**Do**: It depends on 1.4."] })
      .replace("src/1.4.ts", "src/1.3.ts")
      .replace("1.5 Task", "1.5 [VERIFY] Task")
      .concat("\n## Phase 2\n\n- [ ] 2.1 [VERIFY] Check\n- [ ] VF [VERIFY] Goal verification\n");
    const work = {
      "1.3": () => "BLOCKED: which port?",
      "1.5": () => "VERIFICATION_PASS",
      "2.1": () => "VERIFICATION_PASS",
    };
    const { made, ended } = await playEvidence({ ...night, plan: text, work });
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.3", "1.6", "1.7", "1.9", "1.10", "2.1"]);
    expect(ended?.error?.split("\n").at(-1)).toBe("Tasks that wait for the answers: 1.4, 1.5, 1.8, VF");
  });

  it("continues with the other members of a batch, but not with tasks that change the same files", async () => {
    const members = ["1.1", "1.2", "1.3", "1.4"].map((id) => task(id).replace(id, `${id} [P]`));
    const text = `${members.join("\n")}\n- [ ] 1.5 Last\n`.replace("src/1.3.ts", "src/1.1.ts");
    const asks = { "1.1": () => "BLOCKED: which port?" };
    const { made, ended } = await playEvidence({ ...night, plan: text, work: asks });
    expect(delegatedIn(made)).toEqual(["1.1", "1.2", "1.4", "1.5"]);
    expect(ended).toMatchObject({ outcome: "gate", exitCode: 3 });
    expect(ended?.error?.split("\n").at(-1)).toBe("Tasks that wait for the answers: 1.3");
  });

  it("clears the tick of an attempt that waits for a person, which is not counted", async () => {
    const made = newRun(plan({ "1.2": ["**Verify**: `npm start`"] }));
    const execute = async ({ taskId }: { taskId: string }) => {
      made.store.tasks.text = made.store.tasks.text.replace(`[ ] ${taskId} `, `[x] ${taskId} `);
      return { text: "TASK_COMPLETE" };
    };
    const shell = scriptedShell({ "npm start": [{ exitCode: 127, stderr: "npm: not found\n" }] });
    const ended = await continueRun(made, execute, { shell, policy: { unattended: true } });
    expect(delegatedIn(made)).toEqual(ids);
    expect(ended?.error).toContain("\n1.2: Task 1.2: ");
    expect(made.store.tasks.text).toContain("- [ ] 1.2 ");
    expect(made.store.tasks.text.match(/\[x\]/g)).toHaveLength(9);
    expect(stateOf(made).tasks["1.2"]).toMatchObject({ attempts: 1, waits: 1 });
  });

  it("ends at once if the executor itself cannot work, and lists earlier questions", async () => {
    const made = newRun(plan());
    const execute = async ({ taskId }: { taskId: string }) =>
      taskId === "1.5"
        ? { text: "", stderr: "Invalid API key · Please run /login", exitCode: 1 }
        : { text: taskId === "1.3" ? "BLOCKED: which port?" : "TASK_COMPLETE" };
    const ended = await continueRun(made, execute, { policy: { unattended: true } });
    expect(delegatedIn(made)).toEqual(ids.slice(0, 5));
    expect(ended).toMatchObject({ outcome: "gate", error: expect.stringContaining("cannot work on task 1.5 (auth)") });
    expect(ended?.hint).toContain("\n1.3: Answer the question: ");
  });
});

const stateOf = ({ records }: MemoryRun): RunState => {
  const state = emptyRun();
  for (const record of records) apply(state, record);
  return state;
};
