import { effects } from "../../src/model/effect.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import {
  type Answers,
  explore,
  type Graph,
  leanWith,
  mostDelegations,
  nameOf,
  type Place,
  wholeWith,
} from "./explore-task.ts";
import { longestCourse } from "./longest-course.ts";
import { callBound, longestRun } from "./longest-run.ts";
import { answer as answerIn, pendingIn, standingIn } from "./pure-task.ts";

export interface Walk {
  readonly policy: PolicyInput;
  /** Number of named checks that fail at the start; 0 without names. */
  readonly most: number;
  readonly isLong?: boolean;
}

export const nameOfWalk = ({ policy, most }: Walk): string => `${JSON.stringify(policy)}, ${most} checks fail`;

const up = ["pivot", "research", "checkpoint"] as const;
const once = { maxTaskIterations: 1 } as const;
const twice = { maxTaskIterations: 2 } as const;
const fixes = (maxFixTasksPerOriginal: number, maxFixTaskDepth: number, maxFixTasksPerRoot: number) => ({
  ...{ maxFixTasksPerOriginal, maxFixTaskDepth, maxFixTasksPerRoot },
});
const climbs = (maxPivotAttempts: number, maxResearchAttempts: number) => ({ maxPivotAttempts, maxResearchAttempts });
const tiny = { ...once, ...fixes(1, 1, 1), ...climbs(1, 1), repairBudget: 1 };
const unnamed = (policy: PolicyInput, isLong = false): Walk => ({ policy, most: 0, isLong });
const named = (policy: PolicyInput, isLong = false): Walk => ({ policy, most: 2, isLong });

const byFixes = (iterations: 1 | 2, limits: ReturnType<typeof fixes>): PolicyInput => ({
  ...{ recovery: ["fix"], maxTaskIterations: iterations, ...limits },
});

export const plainWalks: readonly Walk[] = [
  ...([1, 2] as const).flatMap((iterations) => [
    unnamed(byFixes(iterations, fixes(0, 1, 1))),
    unnamed(byFixes(iterations, fixes(1, 0, 1))),
    unnamed(byFixes(iterations, fixes(1, 1, 1))),
    unnamed(byFixes(iterations, fixes(1, 2, 2))),
    unnamed(byFixes(iterations, fixes(2, 1, 2))),
    unnamed(byFixes(iterations, fixes(2, 1, 1))),
    unnamed(byFixes(iterations, fixes(2, 2, 2))),
    unnamed(byFixes(iterations, fixes(2, 2, 3))),
    unnamed(byFixes(iterations, fixes(2, 2, 4))),
    named(byFixes(iterations, fixes(0, 1, 1))),
    named(byFixes(iterations, fixes(1, 0, 1))),
    named(byFixes(iterations, fixes(1, 1, 1))),
    named(byFixes(iterations, fixes(2, 1, 1))),
    named(byFixes(iterations, fixes(1, 2, 2)), true),
    named(byFixes(iterations, fixes(2, 1, 2)), iterations === 2),
    named(byFixes(iterations, fixes(2, 2, 2)), true),
  ]),
  ...[once, twice].flatMap((limits) =>
    [0, 2].map((most) => ({ policy: { recovery: ["retry" as const], ...limits }, most })),
  ),
];

export const ladderWalks: readonly Walk[] = [
  unnamed({ ...tiny, recovery: ["repair", "fix", "checkpoint"], maxTotalAttempts: 4 }),
  unnamed({ ...tiny, recovery: ["retry", ...up], maxTaskIterations: 2 }),
  unnamed({ ...tiny, recovery: ["retry", "repair", "pivot"], maxTotalAttempts: 3 }),
  unnamed({ ...tiny, recovery: ["repair"], repairBudget: 2 }),
  unnamed({ ...tiny, recovery: ["fix", "repair", ...up], maxTotalAttempts: 4 }, true),
  named({ ...tiny, recovery: ["retry", "pivot", "checkpoint"], ...twice, maxTotalAttempts: 3 }),
  { policy: { ...tiny, recovery: ["fix", "repair"], maxTotalAttempts: 2 }, most: 1 },
  { policy: { ...tiny, recovery: ["fix", "pivot", "checkpoint"], maxTotalAttempts: 3 }, most: 1 },
  unnamed(
    { ...tiny, recovery: ["retry", "repair", "pivot"], ...twice, maxPivotAttempts: 2, maxTotalAttempts: 4 },
    true,
  ),
  { policy: { ...tiny, recovery: ["fix", "repair"], maxTotalAttempts: 3 }, most: 1, isLong: true },
  named({ ...tiny, recovery: ["retry", "pivot", "checkpoint"], ...twice, maxTotalAttempts: 4 }, true),
  named({ ...tiny, recovery: ["fix", "repair"] }, true),
  named({ ...tiny, recovery: ["fix", "pivot", "checkpoint"], maxTotalAttempts: 4 }, true),
];

export const leanFamilies: Readonly<Record<string, readonly { policy: PolicyInput; isLong?: boolean }[]>> = {
  "retries alone": [1, 2, 3].map((maxTaskIterations) => ({
    ...{ policy: { recovery: ["retry"], maxTaskIterations }, isLong: maxTaskIterations > 2 },
  })),
  "fixes alone": [
    { policy: byFixes(1, fixes(1, 1, 1)) },
    { policy: byFixes(2, fixes(1, 1, 1)) },
    { policy: byFixes(1, fixes(1, 1, 2)), isLong: true },
    { policy: byFixes(2, fixes(1, 1, 2)), isLong: true },
    { policy: byFixes(1, fixes(2, 1, 3)), isLong: true },
    { policy: byFixes(2, fixes(2, 1, 3)), isLong: true },
    { policy: byFixes(2, fixes(1, 2, 2)), isLong: true },
    { policy: byFixes(1, fixes(2, 2, 3)), isLong: true },
    { policy: byFixes(2, fixes(2, 2, 2)), isLong: true },
    { policy: byFixes(1, fixes(2, 2, 4)), isLong: true },
  ],
  "retries, then escalation": [
    { policy: { recovery: ["retry", ...up], ...once, ...climbs(1, 0) } },
    { policy: { recovery: ["retry", ...up], ...twice, ...climbs(1, 1) }, isLong: true },
    { policy: { recovery: ["retry", ...up], ...twice, ...climbs(1, 1), maxTotalAttempts: 5 }, isLong: true },
    { policy: { recovery: ["retry", ...up], ...twice, ...climbs(1, 1), stuckAfterSameErrors: 1 }, isLong: true },
    {
      policy: {
        ...{ recovery: ["retry", ...up], maxTaskIterations: 3, ...climbs(1, 0) },
        ...{ stuckAfterSameErrors: 2, maxTotalAttempts: 30 },
      },
      isLong: true,
    },
    { policy: { recovery: ["retry", "pivot"], ...twice, maxPivotAttempts: 1 }, isLong: true },
    { policy: { recovery: ["retry", "race"], ...once, race: 2 } },
    {
      policy: { recovery: ["retry", ...up.slice(0, 2), "race", "checkpoint"], ...once, ...climbs(1, 0), race: 2 },
      isLong: true,
    },
    { policy: { recovery: ["retry", "race"], ...twice, race: 3, maxTotalAttempts: 2 }, isLong: true },
  ],
  "fixes, then escalation": [
    {
      policy: { recovery: ["fix", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1), maxTotalAttempts: 4 },
      isLong: true,
    },
    { policy: { recovery: ["fix", ...up], ...once, ...fixes(1, 1, 1), ...climbs(1, 1) }, isLong: true },
    { policy: { recovery: ["fix", ...up], ...twice, ...fixes(1, 1, 1), ...climbs(1, 0) }, isLong: true },
    {
      policy: { recovery: ["fix", ...up], ...once, ...fixes(1, 2, 2), ...climbs(1, 0), stuckAfterSameErrors: 2 },
      isLong: true,
    },
    {
      policy: { recovery: ["fix", ...up], ...once, ...fixes(2, 2, 2), ...climbs(1, 0), maxTotalAttempts: 5 },
      isLong: true,
    },
    { policy: { recovery: ["fix", "pivot"], ...once, ...fixes(2, 1, 2), maxPivotAttempts: 1 }, isLong: true },
  ],
};

export const leanCounts = [0, 1, 2, 3] as const;

const answersOf = ({ most }: Walk): Answers => wholeWith(most);

const graphs = new Map<Walk, Graph>();

export function graphOf(walk: Walk): Graph {
  const graph = graphs.get(walk) ?? explore({ policy: walk.policy }, answersOf(walk));
  if (ladderWalks.includes(walk) && !walk.isLong) graphs.set(walk, graph);
  return graph;
}

const outcomes = ["cancelled", "exhausted", "gated", "passed", "pruned", "replanned"];

export function faultsOf(walk: Walk, graph = graphOf(walk)): string[] {
  const policy = Policy.parse(walk.policy);
  const ends = [...graph.values()].filter(({ ways }) => ways.length === 0);
  const open = ends.filter(({ state }) => state.output === null);
  const found = [...new Set(ends.map(({ state }) => state.output?.kind))].sort();
  const expected = policy.recovery.includes("checkpoint") ? [...outcomes, "checkpoint"].sort() : outcomes;
  return [
    ...open.map(({ value }) => `ends in ${value} without an outcome`),
    ...(String(found) === String(expected) ? [] : [`ends as ${found}, not as ${expected}`]),
    // `mostDelegations` throws if a path repeats a state without spending a budget.
    ...lengthFaults(policy, walk.most, mostDelegations(graph)),
  ];
}

function lengthFaults(policy: Policy, most: number, longest: number): string[] {
  if (!policy.recovery.every((rung) => rung === "retry" || rung === "fix")) {
    return longest > 1 ? [] : [`has ${longest} delegations at most`];
  }
  const course = longestCourse(policy, most);
  const bound = callBound(policy, most);
  return [
    ...(most === 0 && longest !== longestRun(policy) ? [`${longest} delegations, not ${longestRun(policy)}`] : []),
    ...(longest === course ? [] : [`${longest} delegations, not ${course} as the longest course`]),
    ...(longest <= bound ? [] : [`${longest} delegations, more than ${bound}`]),
  ];
}

export function leanFaults(input: PolicyInput): string[] {
  const policy = Policy.parse(input);
  return leanCounts.flatMap((most) => {
    const longest = mostDelegations(explore({ policy: input }, leanWith(most)));
    const course = longestCourse(policy, most);
    return longest === course ? [] : [`with ${most} checks ${longest} delegations, not ${course}`];
  });
}

export const formFaults = (graph: Graph): string[] =>
  [...graph.values()].flatMap(({ effect }) =>
    effect === undefined ? [] : issuesOf(effects[effect.name].input.safeParse(effect.input)),
  );

const issuesOf = (parsed: { error?: { message: string } | undefined }): string[] =>
  parsed.error === undefined ? [] : [parsed.error.message];

export function unlikeIn(walk: Walk): string[] {
  const graph = graphOf(walk);
  const answersTo = answersOf(walk);
  const found: string[] = [];
  for (const { state, effect, context } of graph.values()) {
    if (effect === undefined) continue;
    for (const [, given] of answersTo(effect, context)) {
      const after = answerIn(state, effect, given);
      const alike = graph.get(nameOf(after)) as Place;
      const next = pendingIn(after);
      if (alike.state === after || alike.effect === undefined || next === undefined) continue;
      const ways = answersTo(alike.effect, standingIn(after)).map(([label, each]) => ({
        label,
        to: nameOf(answerIn(after, next, each)),
      }));
      if (JSON.stringify(ways) !== JSON.stringify(alike.ways)) found.push(nameOf(after));
    }
  }
  return found;
}
