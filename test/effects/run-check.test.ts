import { describe, expect, it } from "vitest";
import { runCheck } from "../../src/effects/run-check.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import type { CommandResult, Shell } from "../../src/ports/shell.ts";
import { recordAnswer } from "../support/answered.ts";

const never = new AbortController().signal;

/** A shell in memory that keeps whole outputs under their names, and the end of each stream in its results. */
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

/** The same command is run again and again. */
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
  it("tells of what passed how many checks ran, and keeps its output under the name", async () => {
    const { runs, kept, asked } = await runAll([{ exitCode: 0, stdout: tap }]);
    expect(runs).toEqual([
      {
        ...{ command: "check", name: "1.1#1/verify", digest: null },
        result: { exitCode: 0, stdout: "", stderr: "", durationMs: 0, timedOut: false },
        counts: { ran: 2, skipped: 0 },
      },
    ]);
    expect([asked, kept.get("1.1#1/verify")]).toEqual([["1.1#1/verify"], tap]);
  });

  it("takes what has timed out for failed, whatever it ended with", async () => {
    const { last, attempts } = await runAll([{ exitCode: 0, timedOut: true, stdout: "waiting\n" }]);
    expect(last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "waiting" }] });
    expect(attempts.lastCheck("check")?.passed).toBe(false);
  });

  it("tells what failed from the whole output, of which a result holds the end", async () => {
    const whole = `${tap}${"# padding\n".repeat(50)}`;
    const { last } = await runAll([{ whole }]);
    expect(last?.result.stdout).toHaveLength(20);
    expect(last?.digest).toMatchObject({ source: "tools", failed: 1, ran: 2, failures: [{ tool: "tap", id: "adds" }] });
    expect((await runAll([{ whole }], { keeps: false })).last?.digest?.source).toBe("last-line");
  });

  it("takes a result for the whole where no output is kept, each stream with its last line", async () => {
    const { last } = await runAll([{ stdout: tap.trimEnd(), stderr: "not ok 3 - halves" }], { keeps: false });
    expect(last?.digest?.failures.map(({ id }) => id)).toEqual(["adds", "halves"]);
  });

  it("keeps the last 4096 characters of each stream of what failed", async () => {
    const { last } = await runAll([{ stdout: `a${"x".repeat(5000)}`, stderr: `a${"y".repeat(5000)}` }]);
    expect([last?.result.stdout, last?.result.stderr]).toEqual(["x".repeat(4096), "y".repeat(4096)]);
  });

  it("tells paths from the workspace", async () => {
    const stdout = "/project/src/a.ts(1,2): error TS2304: Cannot find name 'one'.\n";
    const { last } = await runAll([{ stdout }], { workspace: "/project" });
    expect(last?.digest?.failures).toMatchObject([
      { file: "src/a.ts", id: "src/a.ts: TS2304 Cannot find name 'one'." },
    ]);
  });

  it("tells nothing where the run was stopped meanwhile", async () => {
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

describe("runCheck, of an output that is like no tool's", () => {
  const passing = { exitCode: 0, stdout: "building\nready in 3 ms\nbye\n" };

  it("tells what the last run that passed did not print", async () => {
    const { last } = await runAll([passing, { stdout: "building\nno such table: users\nready in 5 ms\nbye\n" }]);
    expect(last?.digest).toMatchObject({
      ...{ source: "passing-run", failed: null, failures: [{ tool: "output", message: "no such table: users" }] },
    });
  });

  it("tells what the last run did not print where none has passed", async () => {
    const { runs } = await runAll([{ stdout: "building\none\n" }, { stdout: "building\ntwo\nbye\n" }]);
    expect(runs.map(({ digest }) => digest?.source)).toEqual(["last-line", "failing-run"]);
    expect(runs[1]?.digest?.failures.map(({ message }) => message)).toEqual(["two", "bye"]);
  });

  it("goes by the last run that passed even if others failed since", async () => {
    const { runs } = await runAll([passing, { stdout: "building\none\nbye\n" }, { stdout: "building\none\nbye\n" }]);
    expect(runs[2]?.digest).toMatchObject({ source: "passing-run", failures: [{ message: "one" }] });
  });

  it("tells the last line where nothing is new, and where no output is kept", async () => {
    const { last } = await runAll([passing, { ...passing, exitCode: 1 }]);
    expect(last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "bye" }] });
    const again = await runAll([passing, { stdout: "no such table\nbye\n" }], { keeps: false });
    expect(again.last?.digest).toMatchObject({ source: "last-line", failures: [{ message: "bye" }] });
  });

  it("holds the output of a tool against nothing", async () => {
    const { last } = await runAll([passing, { stdout: tap }]);
    expect(last?.digest).toMatchObject({ source: "tools", failures: [{ id: "adds" }] });
  });

  it("knows commands by what they say", async () => {
    const { attempts } = await runAll([passing, { stdout: "x" }]);
    expect(attempts.lastCheck("check")).toEqual({ command: "check", name: "1.1#1/verify", passed: true });
    expect(attempts.lastCheck("check all")).toBeNull();
  });
});

describe("checks of an earlier start", () => {
  it("are known from what it has recorded", () => {
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
