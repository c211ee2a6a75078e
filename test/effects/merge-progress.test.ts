import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { CommitChoice } from "../../src/model/policy.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { recordAnswer } from "../support/answered.ts";
import { memoryPorts } from "../support/memory-run.ts";
import { sampleFix } from "../support/sample-fix.ts";

const never = new AbortController().signal;
const plan = `- [x] 1.1 First
  - **Commit**: \`feat: first\`
- [x] 1.1.1 [FIX 1.1] Fix: adds
- [x] 1.1.1.1 [FIX 1.1.1] Fix: takes
- [x] 1.2 Second
- [x] 1.3.1 [FIX 1.3] Fix: elsewhere
- [ ] 1.3 Third
`;

/** A batch ends in which these have passed, with a commit of their own or none. */
async function merge(
  passed: Readonly<Record<string, string | null>>,
  commit: CommitChoice = false,
  logs: string[] = [],
) {
  const store = memoryStore(plan);
  for (const id of logs) store.memberLogs.set(id, `# Progress\n\n## Learnings\n\n- learned in ${id}\n`);
  const memory = createRunMemory({ open: 3 });
  const commits: [string, string | undefined][] = [];
  const git = {
    ...{ head: async () => "a", mark: async () => null as never, since: async () => null },
    commit: async (message: string, what?: string) => {
      commits.push([message, what]);
      return "c0ffee";
    },
  };
  const effects = createEffects(withMemory({ ...memoryPorts(store, scriptedExecutor()), git, attempts: memory }));
  for (const [id, hash] of Object.entries(passed)) {
    recordAnswer(memory, `${id}#1/recordPass`, { kind: "recorded", grouped: true, commit: hash });
  }
  const answer = await effects.mergeProgress({ key: "run#1/mergeProgress", logs, commit }, never);
  const lines = store.log.text.split("\n").filter((line) => line.startsWith("- [x]"));
  return { answer, commits, lines, memory, store };
}

describe("the end of a batch", () => {
  it("writes what has passed into the log, in the order of the plan and each task behind its fixes", async () => {
    const passed = { "1.2": "b2", "1.1": "b1", "1.1.1": null, "1.1.1.1": null, "1.3.1": "b3" };
    const { answer, lines, commits, memory } = await merge(passed);
    expect(answer).toEqual({ kind: "merged" });
    expect(lines).toEqual([
      "- [x] 1.1.1.1 Fix: takes",
      "- [x] 1.1.1 Fix: adds",
      "- [x] 1.1 First - b1",
      "- [x] 1.2 Second - b2",
      "- [x] 1.3.1 Fix: elsewhere - b3",
    ]);
    expect(commits).toEqual([]);
    expect(memory.unlogged().size).toBe(0);
  });

  it("tells what became of the fixes of a task", async () => {
    const memory = createRunMemory({ open: 3 });
    const store = memoryStore(plan);
    memory.apply({ type: "intended", key: "1.1#1", fix: { ...sampleFix, id: "1.1.1", fixOf: "1.1" } });
    recordAnswer(memory, "1.1#1/recordPass", { kind: "recorded", grouped: true, commit: null });
    const effects = createEffects(withMemory({ ...memoryPorts(store, scriptedExecutor()), attempts: memory }));
    await effects.mergeProgress({ key: "run#1/mergeProgress", logs: [], commit: false }, never);
    expect(store.log.text).toContain("Task 1.1: 1 fix attempted (1.1.1) - Final: PASS");
  });

  it("takes over what members have written into logs of their own", async () => {
    const { store } = await merge({ "1.1": "b1" }, false, ["1.1", "1.2"]);
    for (const id of ["1.1", "1.2"]) expect(store.log.text).toContain(`- learned in ${id}`);
    expect(store.memberLogs.size).toBe(0);
  });

  it("commits what was left under the words of all that has passed, and then the spec", async () => {
    const { commits, lines } = await merge({ "1.1": null, "1.2": "b2" }, "all");
    expect(commits).toEqual([
      ["feat: first\n\n1.2 Second", "work"],
      [expect.stringMatching(/^chore\(spec\): .*1\.1.*1\.2/), undefined],
    ]);
    expect(lines).toEqual(["- [x] 1.1 First - c0ffee", "- [x] 1.2 Second - b2"]);
  });

  it("commits the spec alone where the policy says so, and nothing where nothing has passed", async () => {
    const { commits, lines } = await merge({ "1.1": null }, "spec");
    expect(commits).toEqual([[expect.stringMatching(/^chore\(spec\): .*1\.1/), undefined]]);
    expect(lines).toEqual(["- [x] 1.1 First"]);
    for (const commit of ["all", "spec"] as const) expect((await merge({}, commit)).commits).toEqual([]);
  });
});
