import fc from "fast-check";
import type { PolicyInput } from "../../src/model/policy.ts";
import type { Fate, Others, Shown } from "./play-task.ts";

const count = (max: number) => fc.integer({ min: 0, max });

export const ladders: fc.Arbitrary<PolicyInput> = fc.record({
  recovery: fc
    .tuple(
      fc.shuffledSubarray(["retry", "fix", "repair"] as const, { minLength: 1 }),
      fc.subarray(["pivot", "research", "checkpoint"] as const, { minLength: 0 }),
    )
    .map(([low, high]) => [...low, ...high]),
  maxTaskIterations: fc.integer({ min: 1, max: 3 }),
  maxFixTasksPerOriginal: count(2),
  maxFixTaskDepth: count(2),
  maxFixTasksPerRoot: count(4),
  repairBudget: count(2),
  maxPivotAttempts: count(3),
  maxResearchAttempts: count(2),
  maxTotalAttempts: fc.option(fc.integer({ min: 1, max: 12 })),
  stuckAfterSameErrors: fc.integer({ min: 1, max: 3 }),
  stuckAfterUnchanged: fc.integer({ min: 1, max: 3 }),
});

const among = <Value>(...values: Value[]) => fc.constantFrom(null, ...values);

const failing = fc.subarray(["a", "b", "c"], { minLength: 1 });

const shown: fc.Arbitrary<Shown> = fc
  .record({
    error: fc.constantFrom("one", "two", "three"),
    strategy: among("use A", "use B"),
    admission: among("I've tried everything"),
    fileState: among("A", "B", "C"),
    changed: among(true, false),
    findings: fc.subarray(["f", "g"]),
    failing: fc.option(failing),
  })
  .map(({ failing: names, ...told }) => ({ ...told, ...(names !== null && { failing: names }) }));

const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 5, arbitrary: shown },
  { weight: 2, arbitrary: fc.constant<Fate>("accepted") },
  { weight: 1, arbitrary: fc.record({ left: failing }) },
  { weight: 1, arbitrary: fc.constantFrom<Fate>("rejected", "disapproved", "failed") },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fate>("hindered", "replaced", "extended", "refused", "reviewed", "unverified"),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fate>("blocked", { error: "one", trouble: "the program node is missing" }),
  },
);

export function unnamed(given: Fate): Fate {
  if (typeof given === "string") return given;
  if ("left" in given) return "accepted";
  const { failing: _, ...told } = given;
  return told;
}

export const ladderFates: fc.Arbitrary<Fate[]> = fc.array(fate, { maxLength: 60 });
export const others: fc.Arbitrary<Others> = fc.record({
  operator: fc.array(
    fc.constantFrom("retry", "retry", "decompose2", "decompose3", "prune", "escalate", "malformed", "denied"),
    { maxLength: 12 },
  ),
  person: fc.array(fc.constantFrom("retry", "guided", "skip", "skip-task", "stop", "gate"), { maxLength: 4 }),
});
