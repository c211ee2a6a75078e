import type { Dialect } from "../../model/plan.ts";
import type { Task } from "../../model/task.ts";
import type { PlacedHeading } from "../document/heading-tasks.ts";

/** What is looked at to tell the dialect of a plan. */
export interface SeenPlan {
  /** Tasks that are no fixes. */
  readonly planned: readonly Task[];
  /** Those of them with an id that is written. */
  readonly named: readonly Task[];
  readonly headings: readonly PlacedHeading[];
  readonly text: string;
}

/** How a tool writes plans. */
export interface DialectEntry {
  readonly name: Dialect;
  readonly fits: (seen: SeenPlan) => boolean;
}

/**
 * What fixpoint makes of a dialect, in sentences: a row of the table in docs/formats.md. No reader imports it, so that
 * bundles leave it out.
 */
export interface DialectRow {
  /** By what a plan is told to be of it. */
  readonly when: string;
  /** What is delegated as one piece. */
  readonly unit: string;
  readonly id: string;
  readonly fields: string;
  /** By what a task is judged that has no Verify field. */
  readonly verification: string;
  /** What an executor is told beside the task. */
  readonly context: string;
  readonly order: string;
  /** Which boxes are ticked when a task is. */
  readonly done: string;
}

/** Whether more than half of some tasks are so. */
export const isMost = (tasks: readonly Task[], test: (task: Task) => boolean): boolean =>
  tasks.filter(test).length * 2 > tasks.length;

/** Source of a task. */
export const sourceOf = ({ text }: SeenPlan, { start, end }: Task): string => text.slice(start, end);

/** Tasks of which fields or sources are looked at: the first of a long plan tell enough. */
export const sampleOf = ({ planned }: SeenPlan): readonly Task[] => planned.slice(0, 40);

/** The number that a heading has in front, as `1` of `1. Setup`. */
export const numberOf = (heading: string | null): string | undefined => /^(\d+)[.):](?!\d)/.exec(heading ?? "")?.[1];
