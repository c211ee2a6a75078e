import * as fc from "fast-check";
import type { PolicyInput } from "../../../src/model/policy.ts";
import { beforeLate, checkLaws, checkPositions, same } from "./laws.ts";
import { type Fault, play, type WordAt } from "./play.ts";
import type { World } from "./world.ts";

const policies: fc.Arbitrary<PolicyInput> = fc.record({
  recovery: fc.constantFrom<NonNullable<PolicyInput["recovery"]>[]>(
    ["fix"],
    ["retry", "pivot", "research", "checkpoint"],
    ["fix", "repair", "pivot", "research", "checkpoint"],
    ["retry", "fix", "repair"],
  ),
  maxTaskIterations: fc.integer({ min: 1, max: 2 }),
  maxFixTasksPerOriginal: fc.integer({ min: 1, max: 2 }),
  maxFixTaskDepth: fc.integer({ min: 1, max: 2 }),
  maxPivotAttempts: fc.constant(1),
  repairBudget: fc.integer({ min: 0, max: 2 }),
  maxParallel: fc.integer({ min: 1, max: 3 }),
}) as fc.Arbitrary<PolicyInput>;

const worlds: fc.Arbitrary<World> = fc
  .record({
    seed: fc.nat(),
    groups: fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), after: fc.boolean() }), {
      minLength: 1,
      maxLength: 3,
    }),
    policy: policies,
    ships: fc.boolean(),
  })
  .map(({ seed, groups, policy, ships }) => ({
    seed,
    policy: { ...policy, ...(ships && { pullRequest: {} }) },
    tasks: groups.flatMap(({ size, after }, group) =>
      Array.from({ length: size }, (_, index) => ({
        root: `${group + 1}.${index + 1}`,
        group: size > 1 ? group : null,
        after: after && index > 1 ? [`${group + 1}.1`] : [],
      })),
    ),
  }));

const words: fc.Arbitrary<readonly WordAt[]> = fc.array(
  fc.record({
    at: fc.nat({ max: 60 }),
    event: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom({ type: "pause" } as const, { type: "resume" } as const) },
      { weight: 2, arbitrary: fc.constant({ type: "guidance.given", text: "look" } as const) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom("retry" as const, "skip" as const)
          .map((decision) => ({ type: "decision.made" as const, decision })),
      },
      { weight: 1, arbitrary: fc.constant({ type: "cancel" } as const) },
    ),
  }),
  { maxLength: 5 },
);

const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.record({
    what: fc.constantFrom("kill" as const, "kill" as const, "full" as const, "throw" as const),
    after: fc.nat({ max: 40 }),
    kept: fc.constantFrom("none" as const, "half" as const, "all" as const),
  }),
  { maxLength: 6 },
);

interface Tortured {
  readonly counts: Readonly<Record<string, number>>;
  readonly failure: string | null;
}

export async function torture(run: { numRuns: number; seed: number; path?: string }): Promise<Tortured> {
  const counts: Record<string, number> = {};
  const count = (name: string, more: number): void => {
    counts[name] = (counts[name] ?? 0) + more;
  };
  const property = fc.asyncProperty(worlds, words, faults, async (world, said, wrong) => {
    const calm = await play(world, said, []);
    checkLaws(world, calm);
    const restored = checkPositions(calm.happenings.flat());
    const rough = await play(world, said, wrong);
    checkLaws(world, rough);
    // After a fault in a paused run, delayed work waits for the resume, so the order of records differs.
    if (!rough.isHeldBack) same(beforeLate(rough), beforeLate(calm), "records of the run with faults");
    const { output, begun } = await play(world, said, [], rough.happenings);
    same(output, rough.output, "the end of the replayed run");
    if (begun.length > 0) throw new Error("the replay performed an effect");
    count((rough.output as { readonly kind: string }).kind, 1);
    count("starts", rough.starts);
    count("lines", rough.happenings.length);
    count("restored", restored);
    count("held back", rough.isHeldBack ? 1 : 0);
  });
  const details = await fc.check(property, run);
  const { errorInstance: error } = details;
  const failure = details.failed
    ? `${fc.defaultReportMessage(details)}\n${error instanceof Error ? error.stack : error}`
    : null;
  return { counts, failure };
}
