import { describe, expect, it } from "vitest";
import { getAdjacencyMap } from "xstate/graph";
import { createTaskMachine } from "../../machines/task.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import { callBound, longestRun } from "../support/longest-run.ts";
import { digest } from "../support/play-task.ts";

const machine = createTaskMachine();
type Snapshot = ReturnType<typeof machine.getInitialSnapshot>;

const done = (id: string, output: object) => ({ type: `xstate.done.actor.${id}`, output, actorId: id });

/** Everything the outside may answer in a state. */
function answersIn({ value, context }: { value: unknown; context: TaskContext }) {
  switch (value) {
    case "delegating":
      return [done("delegate", { kind: "replied" })];
    case "verifying":
      return [
        done("verify", { kind: "accepted" }),
        done("verify", { kind: "rejected", layer: "checkmarks", reason: "r" }),
        done("verify", { kind: "failed", layer: "signal", reason: "f" }),
        done("verify", { kind: "gate", reason: "g", hint: "h" }),
      ];
    case "parsing":
      return [done("readFailure", digest)];
    case "insertingFix": {
      const made = context.spent[context.current]?.fixes.length ?? 0;
      return [
        done("insertFix", { kind: "inserted", fix: `${context.current}.${made + 1}` }),
        done("insertFix", { kind: "denied", limit: "maxGlobalIterations", task: context.current, max: 100 }),
      ];
    }
    case "recordingPass":
      return [done("recordPass", { kind: "recorded" })];
    default:
      return [];
  }
}

/** What a state is, as far as it decides what can follow: attempts are only a name. */
const serialize = ({ value, context }: Snapshot): string =>
  JSON.stringify([
    value,
    context.current,
    Object.entries(context.spent).map(([task, { retries, fixes }]) => [task, retries, fixes.length]),
  ]);

function explore(policy: PolicyInput) {
  const map = getAdjacencyMap(
    machine as never,
    {
      events: (state: Snapshot) => answersIn(state) as never,
      input: { root: "1", policy },
      serializeState: serialize,
      limit: 1_000_000,
    } as never,
  ) as unknown as Record<string, { state: Snapshot; transitions: Record<string, { state: Snapshot }> }>;
  const following = new Map(
    Object.entries(map).map(([key, { transitions }]) => [
      key,
      [...new Set(Object.values(transitions).map(({ state }) => serialize(state)))].filter((next) => next !== key),
    ]),
  );
  return { map, following };
}

/** The most delegations on any way from a state; throws on a cycle. */
function longestWay({ map, following }: ReturnType<typeof explore>): number {
  const known = new Map<string, number>();
  const open = new Set<string>();
  const visit = (key: string): number => {
    const before = known.get(key);
    if (before !== undefined) return before;
    if (open.has(key)) throw new Error(`A cycle that spends no budget goes through ${key}`);
    open.add(key);
    const rest = Math.max(0, ...(following.get(key) ?? []).map(visit));
    open.delete(key);
    const calls = rest + (map[key]?.state.value === "delegating" ? 1 : 0);
    known.set(key, calls);
    return calls;
  };
  return visit(Object.keys(map)[0] as string);
}

const small: PolicyInput[] = [
  ...[1, 2].flatMap((maxTaskIterations) =>
    [
      [0, 1, 1],
      [1, 0, 1],
      [1, 1, 1],
      [1, 2, 2],
      [2, 1, 2],
      [2, 1, 1],
      [2, 2, 2],
      [2, 2, 3],
      [2, 2, 4],
    ].map(([maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot]) => ({
      recovery: ["fix" as const],
      maxTaskIterations,
      maxFixTasksPerOriginal: maxFixTasksPerOriginal as number,
      maxFixTaskDepth: maxFixTaskDepth as number,
      maxFixTasksPerRoot: maxFixTasksPerRoot as number,
    })),
  ),
  { recovery: ["retry"], maxTaskIterations: 1 },
  { recovery: ["retry"], maxTaskIterations: 2 },
];

describe("task machine, explored exhaustively", () => {
  it.each(small.map((policy) => [JSON.stringify(policy), policy] as const))(
    "ends in a named outcome: %s",
    (_, policy) => {
      const graph = explore(policy);
      const ends = [...graph.following].filter(([, next]) => next.length === 0).map(([key]) => graph.map[key]?.state);
      expect(ends.every((state) => state?.status === "done")).toBe(true);
      expect(ends.map((state) => state?.value)).toSatisfy((values: string[]) =>
        values.every((value) => ["passed", "exhausted", "gated"].includes(value)),
      );
      expect(ends.every((state) => state?.output?.kind !== undefined)).toBe(true);
      const longest = longestWay(graph);
      expect(longest).toBe(longestRun(Policy.parse(policy)));
      expect(longest).toBeLessThanOrEqual(callBound(Policy.parse(policy)));
    },
  );

  it("covers twenty policies", () => {
    expect(small).toHaveLength(20);
  });
});
