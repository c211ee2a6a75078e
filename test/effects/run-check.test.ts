import { describe, expect, it } from "vitest";
import { runCheck } from "../../src/effects/run-check.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { CommandResult, Shell } from "../../src/ports/shell.ts";
import { recordAnswer } from "../support/answered.ts";

const never = new AbortController().signal;

function keepingShell(
  outputs: readonly (Partial<CommandResult> & { readonly whole?: string })[],
  { keeps = true }: { keeps?: boolean } = {},
) {
  const kept = new Map<string, string>();
  const left = [...outputs];
  const asked: (string | undefined)[] = [];
  const shell: Shell = {
    run: async (_, { keepAs }) => {
      asked.push(keepAs);
      const { whole, ...part } = left.shift() ?? {};
      const result = { exitCode: 1, stdout: "", stderr: "", durationMs: 0, timedOut: false, ...part };
      if (keepAs !== undefined) kept.set(keepAs, whole ?? `${result.stdout}${result.stderr}`);
      return { ...result, stdout: part.stdout ?? (whole ?? "").slice(-20) };
    },
    exists: async () => true,
    ...(keeps && {
      readKept: async (name, see) => {
        const text = kept.get(name);
        for (let at = 0; at < (text ?? "").length; at += 7) see((text ?? "").slice(at, at + 7));
        return text !== undefined;
      },
    }),
  };
  return { shell, kept, asked };
}

async function runAll(
  outputs: Parameters<typeof keepingShell>[0],
  { keeps = true, workspace = "" }: { keeps?: boolean; workspace?: string } = {},
) {
  const { shell, kept, asked } = keepingShell(outputs, { keeps });
  const attempts = createRunMemory();
  const runs = [];
  for (const index of outputs.keys()) {
    const check = { command: "check", name: `1.1#${index + 1}/verify`, timeoutMs: 1 };
    const verify = await runCheck({ shell, attempts, workspace }, check, never);
    recordAnswer(attempts, check.name, { kind: "failed", layer: "verify", reason: "" }, { verify });
    runs.push(verify);
  }
  return { runs, last: runs.at(-1), attempts, kept, asked };
}

const tap = "TAP version 13\nok 1 - takes\nnot ok 2 - adds\n1..2\n";

describe("runCheck", () => {
  it("returns how many checks ran and failed in a passing run, and stores its output under the name", async () => {
    const { runs, kept, asked } = await runAll([{ exitCode: 0, stdout: tap }]);
    expect(runs).toEqual([
      {
        ...{ command: "check", name: "1.1#1/verify", digest: null },
        result: { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false },
        counts: { ran: 2, skipped: 0, failed: 1 },
      },
    ]);
    expect([asked, kept.get("1.1#1/verify")]).toEqual([["1.1#1/verify"], tap]);
  });

  it("treats a timeout as failed, whatever its exit code", async () => {
    const { last, attempts } = await runAll([{ exitCode: 0, timedOut: true, stdout: "waiting\n" }]);
    expect(last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "waiting" }] });
    expect(attempts.lastCheck("check")?.passed).toBe(false);
  });

  it("reads the failures from the whole output, of which a result has only the end", async () => {
    const whole = `${tap}${"# padding\n".repeat(50)}`;
    const { last } = await runAll([{ whole }]);
    expect(last?.result.stdout).toHaveLength(20);
    expect(last?.digest).toMatchObject({ source: "tools", failed: 1, ran: 2, failures: [{ tool: "tap", id: "adds" }] });
    expect((await runAll([{ whole }], { keeps: false })).last?.digest?.source).toBe("last-line");
  });

  it("reads the result as the whole output if none is stored, each stream with its last line", async () => {
    const { last } = await runAll([{ stdout: tap.trimEnd(), stderr: "not ok 3 - halves" }], { keeps: false });
    expect(last?.digest?.failures.map(({ id }) => id)).toEqual(["adds", "halves"]);
  });

  it("keeps the last 4096 characters of each stream of a failed run", async () => {
    const { last } = await runAll([{ stdout: `a${"x".repeat(5000)}`, stderr: `a${"y".repeat(5000)}` }]);
    expect([last?.result.stdout, last?.result.stderr]).toEqual(["x".repeat(4096), "y".repeat(4096)]);
  });

  it("makes paths relative to the workspace", async () => {
    const stdout = "/project/src/a.ts(1,2): error TS2304: Cannot find name 'one'.\n";
    const { last } = await runAll([{ stdout }], { workspace: "/project" });
    expect(last?.digest?.failures).toMatchObject([
      { file: "src/a.ts", id: "src/a.ts: TS2304 Cannot find name 'one'." },
    ]);
  });

  it("returns nothing if the run was stopped meanwhile", async () => {
    const stop = new AbortController();
    const attempts = createRunMemory();
    const shell: Shell = {
      exists: async () => true,
      run: async () => {
        stop.abort(new Error("interrupted"));
        return { exitCode: null, stdout: "", stderr: "", durationMs: 0, timedOut: false };
      },
    };
    const check = { command: "check", name: "x", timeoutMs: 1 };
    await expect(runCheck({ shell, attempts }, check, stop.signal)).rejects.toThrow("interrupted");
    expect(attempts.lastCheck("check")).toBeNull();
  });
});

describe("runCheck with the output of no known tool", () => {
  const passing = { exitCode: 0, stdout: "building\nready in 3 ms\nbye\n" };

  it("returns lines that the last passing run did not print", async () => {
    const { last } = await runAll([passing, { stdout: "building\nno such table: users\nready in 5 ms\nbye\n" }]);
    expect(last?.digest).toMatchObject({
      ...{ source: "passing-run", failed: null, failures: [{ tool: "output", message: "no such table: users" }] },
    });
  });

  it("returns lines that the last run did not print if none has passed", async () => {
    const { runs } = await runAll([{ stdout: "building\none\n" }, { stdout: "building\ntwo\nbye\n" }]);
    expect(runs.map(({ digest }) => digest?.source)).toEqual(["last-line", "failing-run"]);
    expect(runs[1]?.digest?.failures.map(({ message }) => message)).toEqual(["two", "bye"]);
  });

  it("compares with the last passing run even if others failed since", async () => {
    const { runs } = await runAll([passing, { stdout: "building\none\nbye\n" }, { stdout: "building\none\nbye\n" }]);
    expect(runs[2]?.digest).toMatchObject({ source: "passing-run", failures: [{ message: "one" }] });
  });

  it("returns the last line if nothing is new, and if no output is stored", async () => {
    const { last } = await runAll([passing, { ...passing, exitCode: 1 }]);
    expect(last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "bye" }] });
    const again = await runAll([passing, { stdout: "no such table\nbye\n" }], { keeps: false });
    expect(again.last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "bye" }] });
  });

  it("does not compare the output of a known tool", async () => {
    const { last } = await runAll([passing, { stdout: tap }]);
    expect(last?.digest).toMatchObject({ source: "tools", failures: [{ id: "adds" }] });
  });

  it("identifies commands by their text", async () => {
    const { attempts } = await runAll([passing, { stdout: "x" }]);
    expect(attempts.lastCheck("check")).toEqual({ command: "check", name: "1.1#1/verify", passed: true });
    expect(attempts.lastCheck("check all")).toBeNull();
  });
});

describe("checks of an earlier start", () => {
  it("are known from its records", () => {
    const memory = createRunMemory();
    const result = { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false };
    const run = { command: "check", name: "1.1#1/verify", result, digest: null };
    memory.apply({
      type: "answered",
      effect: "verify",
      key: "1.1#1/verify",
      answer: { kind: "accepted" },
      verify: run,
    });
    const reality = { ...run, command: "repro", name: "1.1#1/reality" };
    memory.apply({ type: "judged", key: "1.1#1/verify", answer: { kind: "accepted" }, reality });
    expect(memory.lastCheck("check")).toEqual({ command: "check", name: "1.1#1/verify", passed: true });
    expect(memory.lastCheck("repro")).toEqual({ command: "repro", name: "1.1#1/reality", passed: true });
  });
});
