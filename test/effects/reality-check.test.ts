import { describe, expect, it } from "vitest";
import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import type { RunEvent } from "../../src/model/event.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { CommandResult } from "../../src/ports/shell.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { scriptedShell } from "../../src/testing/scripted-shell.ts";
import { inputs } from "../support/effect-inputs.ts";
import { memoryPorts } from "../support/memory-run.ts";

const never = new AbortController().signal;
const log = "# P\n\n## Reality Check (BEFORE)\n\n**Reproduction command**: `npm test`\n**Exit code**: 1\n";

/** A goal verification whose failure is shown by a command that ends as is said now. */
async function check(
  ends: Partial<CommandResult>,
  { progress = log, more = {} as Partial<Ports>, trust = false } = {},
) {
  const ran: [string, object][] = [];
  const scripted = scriptedShell({ "npm test": [ends] });
  const run: Ports["shell"]["run"] = (command, options, signal) => {
    ran.push([command, options]);
    return scripted.run(command, options, signal);
  };
  const asked: object[] = [];
  const consent: NonNullable<Ports["consent"]> = async (request) => {
    asked.push(request);
    return { given: true };
  };
  const store = memoryStore("- [ ] VF [VERIFY] Goal verification\n", progress);
  const memory = createRunMemory({ open: 1 });
  const ports = memoryPorts(store, scriptedExecutor(), { ...scripted, run });
  const effects = createEffects(withMemory({ ...ports, consent, ...more, attempts: memory }));
  await effects.delegate(inputs.delegate("VF"), never);
  const answer = await effects.verify(inputs.verify("VF", 1, { timeoutMs: 60_000, trustExecutor: trust }), never);
  return { answer, ran, asked, log: store.log.text, attempt: await memory.recall("VF#1") };
}

describe("a goal verification", () => {
  it("runs the command that showed the failure, with consent, and accepts what passes now", async () => {
    const { answer, ran, asked, attempt } = await check({ exitCode: 0, stdout: "fine\n" });
    expect(answer).toMatchObject({ kind: "accepted" });
    expect(ran).toEqual([["npm test", { timeoutMs: 60_000, keepAs: "VF#1/reality" }]]);
    expect(asked).toEqual([{ purpose: "reality", commands: ["npm test"] }]);
    expect(attempt.reality).toMatchObject({ command: "npm test", name: "VF#1/reality", result: { exitCode: 0 } });
    expect(attempt.verify).toBe(null);
    expect(attempt.judgement?.evidence.reality).toBe("exit 0");
  });

  it("is checked although executors are trusted", async () => {
    const { ran } = await check({ exitCode: 0 }, { trust: true });
    expect(ran.map(([command]) => command)).toEqual(["npm test"]);
  });

  it("fails where that still fails, and the log tells what it says now", async () => {
    const { answer, log, attempt } = await check({ exitCode: 2, stdout: "one\n", stderr: "two wrong\n" });
    expect(answer).toMatchObject({ kind: "failed", layer: "reality", reason: expect.stringContaining("2") });
    for (const told of ["## Reality Check (AFTER)", "npm test", "2", "one", "two wrong"]) expect(log).toContain(told);
    expect(attempt.judgement?.evidence.reality).toBe("exit 2");
  });

  it("fails where that is not over in time, and tells the limit", async () => {
    const { answer, attempt } = await check({ exitCode: null, timedOut: true });
    expect(answer).toMatchObject({ kind: "failed", layer: "reality", reason: expect.stringMatching(/1\W?m/) });
    expect(attempt.judgement?.evidence.reality).toBe("timed out");
  });

  it("fails where the log names no command", async () => {
    const { answer, ran, attempt } = await check({}, { progress: "# P\n" });
    expect(answer).toMatchObject({ kind: "failed", layer: "reality" });
    expect(ran).toEqual([]);
    expect(attempt.judgement?.evidence.reality).toBe("no command");
  });

  it("asks a person who has not agreed to the command", async () => {
    const consent = async () => ({ given: false, hint: "say so" }) as const;
    const { answer, ran, log: left, attempt } = await check({}, { more: { consent } });
    expect(answer).toStrictEqual({
      kind: "gate",
      reason: "Task VF: the reality check runs a command that nobody has agreed to: npm test",
      hint: "Read it in .progress.md; say so",
    });
    expect(ran).toEqual([]);
    expect(left).toBe(log);
    expect(attempt.judgement).toBe(null);
  });

  it("runs nothing where nobody can be asked", async () => {
    const { answer, ran } = await check({}, { more: { consent: undefined } as never });
    expect(answer).toMatchObject({ kind: "gate", hint: "Read it in .progress.md; nobody can be asked here" });
    expect(ran).toEqual([]);
  });

  it("tells what runs while it runs", async () => {
    const told: RunEvent[] = [];
    await check({}, { more: { onProgress: (event) => told.push(event) } });
    expect(told.filter((event) => event.type === "task.progress" && event.stage === "verify")).toEqual([
      {
        type: "task.progress",
        task: "VF",
        key: "VF#1",
        stage: "verify",
        tool: null,
        line: "npm test",
        tokens: null,
        seconds: 0,
      },
    ]);
  });
});
