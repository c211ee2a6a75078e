import type { Policy } from "../../src/model/policy.ts";
import type { Rung } from "../../src/model/rung.ts";

type Limits = Pick<
  Policy,
  | "recovery"
  | "maxTaskIterations"
  | "maxFixTasksPerOriginal"
  | "maxFixTaskDepth"
  | "maxFixTasksPerRoot"
  | "maxPivotAttempts"
  | "maxResearchAttempts"
  | "race"
  | "maxTotalAttempts"
  | "stuckAfterSameErrors"
>;

interface OnPath {
  readonly iterations: number;
  readonly fixes: number;
  /** Number of failed checks that the task must repair; 0 if unknown. */
  readonly madeFor: number;
}

interface Course {
  readonly path: readonly OnPath[];
  readonly fixes: number;
  /** Fewest failed checks so far; null if unknown. */
  readonly least: number | null;
  readonly sinceLeast: number;
  readonly failures: number;
  readonly rejected: boolean;
  readonly pivots: number;
  readonly researches: number;
  readonly races: number;
  readonly level: "normal" | "pivot" | "research" | "race";
}

interface Failing {
  readonly count: number;
  readonly isOld: boolean;
}

const upper: readonly Rung[] = ["pivot", "research", "race", "checkpoint"];

/**
 * Length of the longest run of one planned task, found without the chart and without a repair operator.
 *
 * @param most Number of named checks that fail at the start; 0 without names.
 */
export function longestCourse(policy: Limits, most: number): number {
  const { recovery, maxPivotAttempts, maxResearchAttempts, stuckAfterSameErrors: patience } = policy;
  const race = policy.race ?? 0;
  const climbs = recovery.filter((rung) => upper.includes(rung));
  const hasLevels = climbs.some((rung) => rung !== "checkpoint");
  const sum = Math.max(10, maxPivotAttempts + maxResearchAttempts + race);
  const cap = policy.maxTotalAttempts ?? (climbs.length > 0 ? sum : Number.POSITIVE_INFINITY);
  const known = new Map<string, number>();

  const delegate = (course: Course): number => {
    const counted = {
      ...course,
      ...(climbs.length === 0 && { sinceLeast: 0, failures: 0 }),
      ...(hasLevels && { failures: 0 }),
    };
    const name = JSON.stringify(counted);
    const calls = known.get(name) ?? 1 + Math.max(rejected(course), accepted(course), failed(course));
    known.set(name, calls);
    return calls;
  };

  /** After two rejections in a row, the next rung is no fix, or a person is asked. */
  const rejected = (course: Course): number => {
    const ladder = course.rejected && recovery.some((rung) => rung !== "retry") ? [] : (["retry"] as const);
    return goOn({ ...course, failures: course.failures + 1, rejected: true }, [...ladder, ...climbs], null, false);
  };

  const accepted = (course: Course): number => {
    const { path, level, least } = course;
    if (path.length === 1) return 0;
    // A fix above level `normal` resets the minimum, unless the remaining failures are known.
    const calm = level === "normal" ? {} : { level: "normal" as const, sinceLeast: 0 };
    const forgotten = level === "normal" ? {} : { least: null };
    const { madeFor } = path.at(-1) as OnPath;
    const left = [madeFor - 1, (least ?? 0) - 1].filter((count) => count >= 1 && count < madeFor);
    return Math.max(
      delegate({ ...course, ...calm, ...forgotten, rejected: false, path: path.slice(0, -1) }),
      ...left.map((count) => {
        const seen = see(course, count);
        return delegate({ ...seen, ...calm, rejected: false, path: seen.path.slice(0, -1) });
      }),
    );
  };

  const failed = (course: Course): number => {
    const { madeFor } = course.path.at(-1) as OnPath;
    const { least } = course;
    const after = { ...course, failures: course.failures + 1, rejected: false };
    const unknown = { ...after, sinceLeast: after.sinceLeast + 1 };
    const isStuck = (least === null ? 1 : unknown.sinceLeast) >= patience;
    // An executor may also report that it is stuck.
    const told = [isStuck, true].map((stuck) => goOn(unknown, recovery, { count: 0, isOld: false }, stuck));
    const fewer = least === null || least === 1 ? [] : [least - 1];
    const old = madeFor === 0 ? [] : [madeFor, ...fewer.filter((count) => count <= madeFor)];
    const sets = [
      ...old.map((count) => ({ count, isOld: true })),
      ...(most === 0 ? [] : [most, ...fewer]).map((count) => ({ count, isOld: false })),
    ];
    const seen = sets.map((failing) => {
      const then = see(after, failing.count);
      return goOn(then, recovery, failing, then.sinceLeast >= patience);
    });
    return Math.max(...told, ...seen);
  };

  const see = (course: Course, count: number): Course => {
    const { least, path } = course;
    if (least === null || count >= least) {
      return { ...course, least: Math.min(least ?? count, count), sinceLeast: course.sinceLeast + 1 };
    }
    const fresh = path.map((task) => ({ ...task, iterations: 0, fixes: 0 }));
    return { ...course, path: fresh, least: count, sinceLeast: 0, level: "normal" };
  };

  const goOn = (course: Course, ladder: readonly Rung[], failing: Failing | null, isStuck: boolean): number => {
    if (!hasLevels && course.failures >= cap) return 0;
    const onLevel = climbs.filter((rung) => upper.indexOf(rung) >= upper.indexOf(course.level as Rung));
    const rungs = course.level === "normal" || onLevel.length === 0 ? ladder : onLevel;
    const left = rungs.flatMap((rung) => {
      const after = take(rung, course, failing);
      return after === null ? [] : [{ rung, after }];
    });
    const higher = left.find(({ rung }) => climbs.includes(rung));
    const chosen = (climbs.length > 0 && isStuck ? higher : undefined) ?? left[0];
    return chosen === undefined || chosen.after === "end" ? 0 : delegate(chosen.after);
  };

  const take = (rung: Rung, course: Course, failing: Failing | null): Course | "end" | null => {
    const { path, pivots, researches, races } = course;
    const isLevel = rung === "pivot" || rung === "research" || rung === "race";
    if (isLevel && pivots + researches + races >= cap) return null;
    if (rung === "pivot") {
      return pivots < maxPivotAttempts ? { ...course, pivots: pivots + 1, level: "pivot" } : null;
    }
    if (rung === "research") {
      return researches < maxResearchAttempts ? { ...course, researches: researches + 1, level: "research" } : null;
    }
    // Counts race candidates as if they worked in sequence, which takes the most delegations.
    if (rung === "race") return races < race ? { ...course, races: races + 1, level: "race" } : null;
    if (rung === "checkpoint") return "end";
    if (rung === "retry") {
      const { iterations, ...task } = path.at(-1) as OnPath;
      if (iterations >= policy.maxTaskIterations) return null;
      return { ...course, path: [...path.slice(0, -1), { ...task, iterations: iterations + 1 }] };
    }
    // A fix that did not help is followed by another fix of the same task.
    const above = failing?.isOld ? path.slice(0, -1) : path;
    const repaired = above.at(-1) as OnPath;
    const isAllowed =
      repaired.fixes < policy.maxFixTasksPerOriginal &&
      above.length <= policy.maxFixTaskDepth &&
      course.fixes < policy.maxFixTasksPerRoot;
    if (!isAllowed) return null;
    const fix = { iterations: 1, fixes: 0, madeFor: failing?.count ?? 0 };
    const onPath = [...above.slice(0, -1), { ...repaired, fixes: repaired.fixes + 1 }, fix];
    return { ...course, path: onPath, fixes: course.fixes + 1 };
  };

  const counts = {
    fixes: 0,
    least: null,
    sinceLeast: 0,
    failures: 0,
    rejected: false,
    pivots: 0,
    researches: 0,
    races: 0,
  };
  return delegate({ ...counts, path: [{ iterations: 1, fixes: 0, madeFor: 0 }], level: "normal" });
}
