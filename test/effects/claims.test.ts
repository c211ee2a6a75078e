import { describe, expect, it } from "vitest";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { ChangeType, Claim, Reply } from "../../src/model/reply.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor, scriptedShell } from "../../src/testing/scripted-ports.ts";
import { inputs } from "../support/effect-inputs.ts";
import { continueRun, delegatedIn, memoryPorts, newRun } from "../support/memory-run.ts";
import { performing } from "../support/performing.ts";

const never = new AbortController().signal;

async function attempt(reply: Reply, exitCode = 0, plan = "- [ ] 1.1 First\n  - **Verify**: `check`\n") {
  const shell = scriptedShell({ check: [{ exitCode }] });
  const ports = memoryPorts(memoryStore(plan), scriptedExecutor({ "1.1": [reply] }), shell);
  const effects = performing(withMemory({ ...ports, attempts: createRunMemory() }));
  const delegated = await effects.delegate(inputs.delegate("1.1", 1), never);
  const verdict = await effects.verify(inputs.verify("1.1", 1), never);
  const read = () => effects.readFailure({ key: "1.1#1/readFailure", task: "1.1", waits: 0, watch: false }, never);
  return { delegated, verdict, read };
}

const complete: Claim = { kind: "complete" };
const unchecked = "- [ ] 1.1 First\n";

describe("a structured claim", () => {
  it("replaces what the message says", async () => {
    const { verdict } = await attempt({ text: "Task 1.1: FAILED\n- Error: quoted from yesterday", claim: complete });
    expect(verdict).toMatchObject({ kind: "accepted" });
  });

  it("is not contradicted by words of the message", async () => {
    const text = "The old importer requires manual steps.";
    expect((await attempt({ text: `${text}\nTASK_COMPLETE` })).verdict).toMatchObject({ layer: "contradiction" });
    expect((await attempt({ text, claim: complete })).verdict).toMatchObject({ kind: "accepted" });
  });

  it.each([
    ["Verify", { text: "" }, 1, { kind: "failed", layer: "verify" }],
    ["the exit code", { text: "", exitCode: 1 }, 0, { kind: "failed", layer: "signal" }],
    ["a time limit", { text: "", ended: "timeout" } as const, 0, { kind: "failed", layer: "signal" }],
  ])("is only a claim: %s still judges it", async (_, reply, exitCode, verdict) => {
    expect((await attempt({ ...reply, claim: complete }, exitCode)).verdict).toMatchObject(verdict);
  });

  it("is judged by the boxes too", async () => {
    const ticking = memoryStore("- [ ] 1.1 First\n  - **Verify**: `check`\n- [ ] 1.2 Second\n");
    const executor = scriptedExecutor({
      "1.1": [
        () => {
          ticking.tasks.text = ticking.tasks.text.replace("[ ] 1.2", "[x] 1.2");
          return { text: "", claim: complete };
        },
      ],
    });
    const effects = performing(withMemory({ ...memoryPorts(ticking, executor), attempts: createRunMemory() }));
    await effects.delegate(inputs.delegate("1.1", 1), never);
    expect(await effects.verify(inputs.verify("1.1", 1), never)).toMatchObject({
      kind: "rejected",
      layer: "checkmarks",
    });
  });

  it("states a failure with its fields, each on one line", async () => {
    const claim: Claim = {
      kind: "failed",
      error: "File not found:\n  src/parser.ts",
      attemptedFix: "Checked alternate paths",
      blocker: "Nobody knows the path",
    };
    const { verdict, read } = await attempt({ text: "I looked.\nTASK_COMPLETE", claim }, 0, unchecked);
    expect(verdict).toEqual({ kind: "failed", layer: "signal", reason: "failure reported" });
    const { unstated, ...failure } = await read();
    expect(failure).toMatchObject({
      kind: "task",
      error: "File not found: src/parser.ts",
      attemptedFix: "Checked alternate paths",
      status: "Nobody knows the path",
    });
    expect(unstated ?? []).toEqual([]);
  });

  it("may omit fields of a failure", async () => {
    const { read } = await attempt({ text: "", claim: { kind: "failed", error: "" } }, 0, unchecked);
    expect(await read()).toMatchObject({
      error: "Task execution failed",
      attemptedFix: "No fix attempted",
      status: "Unknown status",
      unstated: ["error", "attemptedFix", "status"],
    });
  });

  it("takes precedence over service problems on stderr", async () => {
    const { read } = await attempt({
      text: "",
      exitCode: 1,
      stderr: "Error: 429 Too Many Requests",
      claim: { kind: "failed", error: "Two checks fail" },
    });
    expect(await read()).toMatchObject({ kind: "task", error: "Two checks fail" });
  });

  it("ends the run if it is invalid", async () => {
    const reply = { text: "", claim: { kind: "blocked", question: "" } } as const;
    await expect(attempt(reply)).rejects.toMatchObject({ code: "executor-failed" });
  });
});

const followUp =
  "- [ ] 1.1a Make more\n  - **Do**: Make it\n  - **Files**: `more`\n  - **Done when**: It is there\n  - **Verify**: `check`\n  - **Commit**: `feat: more`\n";
const asking = (type: ChangeType): Reply => ({
  text: "",
  claim: {
    kind: "modify",
    request: { type, originalTaskId: "1.1", reasoning: "It takes more", proposedTasks: [followUp] },
  },
});

describe("a claim that asks for other tasks", () => {
  const plan = "- [ ] 1.1 First\n  - **Verify**: `check`\n";

  it.each([
    ["ADD_FOLLOWUP", ["1.1", "1.1a"]],
    ["ADD_PREREQUISITE", ["1.1", "1.1a", "1.1"]],
  ] as const)("of type %s is granted", async (type, tasks) => {
    const made = newRun(plan);
    const consent = async () => ({ given: true }) as const;
    const ended = await continueRun(made, scriptedExecutor({ "1.1": [asking(type)] }), { ports: { consent } });
    expect(ended).toMatchObject({ outcome: "complete" });
    expect(delegatedIn(made)).toEqual(tasks);
    expect(made.store.tasks.text).toContain("- [x] 1.1a Make more");
  });

  it("is no claim of a verifier", async () => {
    const { delegated, verdict } = await attempt(asking("ADD_PREREQUISITE"), 0, "- [ ] 1.1 [VERIFY] First\n");
    expect(delegated).toEqual({ kind: "replied" });
    expect(verdict).toMatchObject({ kind: "rejected", layer: "signal" });
  });
});
