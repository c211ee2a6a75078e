import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FailureEvidence } from "../../src/model/failure.ts";
import { checkRan, evidenceOf, expectedOf, type FailureSource } from "../../src/recover/evidence-of.ts";
import { anyCheck } from "../support/failing-checks.ts";
import { prop } from "../support/prop.ts";
import { digestOf, failedCheck } from "../support/sample-failure.ts";

const run = (part: Partial<NonNullable<FailureSource["run"]>> = {}): NonNullable<FailureSource["run"]> => ({
  command: "npm test",
  result: { exitCode: 1, timedOut: false },
  digest: digestOf(["a", "b"], { head: "begins", tail: "ends" }),
  ...part,
});
const of = (part: Partial<FailureSource> = {}) => evidenceOf({ run: run(), claim: "", findings: "", ...part });

describe("evidenceOf", () => {
  it("keeps the command, its end, the failures, and both ends of the output", () => {
    expect(of({ claim: " TASK_COMPLETE\n", findings: "\nIt leaks " })).toEqual({
      command: {
        ...{ line: "npm test", exitCode: 1, timedOut: false, source: "tools", head: "begins", tail: "ends" },
        failures: [failedCheck("a"), failedCheck("b")],
      },
      ...{ claim: "TASK_COMPLETE", findings: "It leaks" },
    });
  });

  it("has no command if none was run, and no output if there was none", () => {
    expect(of({ run: null, claim: "x" })).toEqual({ command: null, claim: "x", findings: "" });
    const silent = run({ digest: null, result: { exitCode: null, timedOut: true } });
    expect(of({ run: silent }).command).toEqual({
      ...{ line: "npm test", exitCode: null, timedOut: true, source: "nothing", failures: [], head: "", tail: "" },
    });
  });

  it("keeps the output limit that stopped a command", () => {
    const stopped = run({ result: { exitCode: null, timedOut: false, limitBytes: 9 } });
    expect(of({ run: stopped }).command).toMatchObject({ exitCode: null, timedOut: false, limitBytes: 9 });
  });

  it("keeps the end of messages and output, and the beginning of findings and output", () => {
    const whole = of({ run: run({ digest: digestOf([], { head: `h${"x".repeat(1500)}t`, tail: "" }) }) });
    expect(whole.command).toMatchObject({ head: `h${"x".repeat(999)}`, tail: `${"x".repeat(501)}t` });
    const [head, tail] = [`h${"x".repeat(5000)}`, `${"x".repeat(5000)}t`];
    const { command, claim, findings } = of({
      run: run({ digest: digestOf([], { head, tail }), command: "c".repeat(5000) }),
      ...{ claim: `${"x".repeat(5000)}t`, findings: `h${"x".repeat(5000)}` },
    });
    expect([command?.head[0], command?.tail.at(-1), claim.at(-1), findings[0]]).toEqual(["h", "t", "t", "h"]);
    expect([command?.head.length, command?.tail.length, command?.line.length]).toEqual([1000, 3000, 1000]);
    expect([claim.length, findings.length]).toEqual([1500, 3000]);
  });

  it("keeps the first checks, each with 300 characters of its texts", () => {
    const check = failedCheck("a", { message: "m".repeat(400), expected: "e".repeat(400), actual: "f".repeat(400) });
    expect(of({ run: run({ digest: digestOf([], { failures: [check] }) }) }).command?.failures).toEqual([
      { ...check, message: "m".repeat(300), expected: "e".repeat(300), actual: "f".repeat(300) },
    ]);
    const many = Array.from({ length: 200 }, (_, index) => failedCheck(`t${index}`));
    const kept = of({ run: run({ digest: digestOf([], { failures: many }) }) }).command?.failures ?? [];
    expect(kept.length).toBeGreaterThan(50);
    expect(kept).toEqual(many.slice(0, kept.length));
  });
});

describe("evidenceOf, for every failure", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }),
    fc.tuple(fc.string({ unit: "binary" }), fc.nat(9000)).map(([unit, times]) => unit.repeat(times).slice(0, 20_000)),
  );
  const sources = fc.record({
    run: fc.option(
      fc
        .record({ command: text, failures: fc.array(anyCheck(text), { maxLength: 60 }), head: text, tail: text })
        .map(({ command, ...digest }) => run({ command, digest: digestOf([], digest) })),
    ),
    claim: text,
    findings: text,
  });

  prop("it is bounded, and matches the stored schema", [sources], (source) => {
    const evidence = evidenceOf(source);
    expect(FailureEvidence.parse(JSON.parse(JSON.stringify(evidence)))).toEqual(JSON.parse(JSON.stringify(evidence)));
    const { command, claim, findings } = evidence;
    expect(claim.length).toBeLessThanOrEqual(1500);
    expect(findings.length).toBeLessThanOrEqual(3000);
    if (command === null) return;
    expect(JSON.stringify(command.failures).length).toBeLessThanOrEqual(8000 + 2 + command.failures.length);
    expect(command.head.length + command.tail.length).toBeLessThanOrEqual(4000);
    expect([...command.line].length).toBeLessThanOrEqual(1000);
    const failures = source.run?.digest?.failures ?? [];
    expect(command.failures.map(({ id }) => id)).toEqual(
      failures.slice(0, command.failures.length).map(({ id }) => id),
    );
  });
});

const streams = { stdout: "out", stderr: "", durationMs: 5 };

describe("checkRan", () => {
  it.each([
    { exitCode: 0, timedOut: false },
    { exitCode: null, timedOut: true, limitMs: 600_000 },
    { exitCode: null, timedOut: false, limitBytes: 9 },
  ])("states how a command ended, with the limit that ended it: %j", (end) => {
    expect(checkRan({ command: "make", result: { ...streams, ...end }, digest: null })).toStrictEqual({
      kind: "ran",
      command: "make",
      digest: null,
      ...end,
    });
  });
});

describe("expectedOf", () => {
  it.each([
    [{ doneWhen: "It parses", verify: "npm test" }, "It parses; Verify: npm test"],
    [{ doneWhen: "It parses" }, "It parses"],
    [{ verify: "npm test" }, "Verify: npm test"],
    [{ do: "Parse it" }, "Add a parser"],
    [{ doneWhen: " It\r\n   parses " }, "It parses"],
  ])("of a task with %j is %j", (fields, expected) => {
    expect(expectedOf({ title: "Add a parser", fields })).toBe(expected);
  });
});
