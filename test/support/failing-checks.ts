import fc from "fast-check";
import type { FailureLeft } from "../../src/model/failure.ts";
import { type FailedCheck, type FailureSet, failureSetOf } from "../../src/model/failure-set.ts";

const checkOf = (id: string): FailedCheck => ({
  ...{ tool: "vitest", id, file: `test/${id}.test.ts`, line: 1 },
  message: `${id} fails`,
});

export function failingChecks(...names: readonly string[]): FailureLeft {
  const failures = names.map(checkOf);
  const found = { source: "tools" as const, failures, head: "", tail: "" };
  return {
    failing: failureSetOf({ ...found, failed: names.length, ran: 10 }) as FailureSet,
    evidence: {
      command: { line: "npx vitest run", exitCode: 1, timedOut: false, ...found },
      claim: "",
      findings: "",
    },
  };
}

export const anyCheck = (text: fc.Arbitrary<string>): fc.Arbitrary<FailedCheck> =>
  fc.record(
    {
      tool: fc.constant("vitest"),
      id: text,
      file: fc.option(text),
      line: fc.option(fc.nat()),
      message: text,
      expected: text,
      actual: text,
    },
    { requiredKeys: ["tool", "id", "file", "line", "message"] },
  );
