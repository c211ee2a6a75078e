import type { Dialect } from "../../model/plan.ts";
import type { Task } from "../../model/task.ts";
import { gsdElements } from "../gsd-elements.ts";
import type { PlacedHeading } from "../tasks/read-blocks.ts";
import { isGeneratedId } from "../tasks/read-title.ts";

interface SeenPlan {
  /** Tasks other than fixes. */
  readonly planned: readonly Task[];
  /** Planned tasks with a written id. */
  readonly named: readonly Task[];
  /** The first tasks of the plan. Only these tasks are examined for fields and text, even in a long plan. */
  readonly sample: readonly Task[];
  readonly sourceOf: (task: Task) => string;
  readonly headings: readonly PlacedHeading[];
  readonly text: string;
}

interface DialectEntry {
  readonly name: Dialect;
  readonly fits: (seen: SeenPlan) => boolean;
}

/** All dialects; the first that fits is chosen. `checklist` fits every plan. */
export const dialects: readonly DialectEntry[] = [
  { name: "gsd", fits: ({ text }) => text.includes("</task>") && gsdElements(text).length > 0 },
  {
    name: "spec-kit",
    fits: ({ named }) =>
      isMost(named, ({ id, markers }) => /^T\d{3}/.test(id) || markers.some((marker) => /^US\d/.test(marker))),
  },
  {
    name: "ralph-specum",
    // Ignore `Files`: plans of every dialect may have this field.
    fits: ({ sample }) =>
      sample.filter(({ fields }) => Object.keys(fields).some((key) => key !== "files")).length * 4 > sample.length,
  },
  {
    name: "bmad",
    fits: ({ sample, sourceOf }) =>
      isMost(sample, (task) => task.phase === "Tasks / Subtasks" || /^.*\(AC:? ?#?\d/.test(sourceOf(task))),
  },
  // The source of a task made from a heading begins with `#`.
  { name: "superpowers", fits: ({ sample, sourceOf }) => isMost(sample, (task) => sourceOf(task).startsWith("#")) },
  {
    name: "openspec",
    // Some ids of OpenSpec consist of the initials of a change and a number.
    fits: (seen) =>
      isMost(seen.named, isNumberedByHeading) ||
      isMost(seen.named, ({ id }) => /^[a-z]+-\d/.test(id)) ||
      isMost(seen.planned, isBelowNumber(seen)),
  },
  { name: "cc-sdd", fits: (seen) => isNumbered(seen) && seen.sample.some((task) => isOfCcSdd(seen, task)) },
  {
    name: "kiro",
    fits: (seen) =>
      (isNumbered(seen) && (seen.named.some(({ id }) => id.includes(".")) || saysKiro(seen))) || isBelowTask(seen),
  },
  { name: "checklist", fits: () => true },
];

export function readDialect(tasks: readonly Task[], headings: readonly PlacedHeading[], text: string): Dialect {
  const planned = tasks.filter(({ fixOf, aside }) => fixOf === null && aside !== "criterion");
  const named = planned.filter(({ id }) => !isGeneratedId(id));
  const sourceOf = ({ start, end }: Task): string => text.slice(start, end);
  const seen = { planned, named, sample: planned.slice(0, 40), sourceOf, headings, text };
  return (dialects.find(({ fits }) => fits(seen)) as DialectEntry).name;
}

const isMost = (tasks: readonly Task[], test: (task: Task) => boolean): boolean =>
  tasks.filter(test).length * 2 > tasks.length;

/** The number in front of a heading, such as `1` of `1. Setup`. */
const numberOf = (heading: string | null): string | undefined => /^(\d+)[.):](?!\d)/.exec(heading ?? "")?.[1];

function isNumberedByHeading({ id, phase }: Task): boolean {
  const number = numberOf(phase);
  return number !== undefined && id.startsWith(`${number}.`);
}

/** Whether a task without an id is below a heading such as `## 1. Setup`. */
function isBelowNumber({ named, headings }: SeenPlan): (task: Task) => boolean {
  const numbered = new Set(headings.flatMap(({ level, title }) => (level === 2 && numberOf(title) ? [title] : [])));
  const withId = new Set(named);
  return (task) => !withId.has(task) && numbered.has(task.phase ?? "");
}

/** Whether most ids are whole numbers, or begin with a whole number that is itself an id. */
function isNumbered({ named }: SeenPlan): boolean {
  const whole = new Set(named.flatMap(({ id, boxes }) => (/^\d+$/.test(id) && boxes === undefined ? [id] : [])));
  return isMost(named, ({ id }) => whole.has(id.split(".", 1).join()));
}

function isOfCcSdd({ sourceOf, text }: SeenPlan, task: Task): boolean {
  const source = sourceOf(task);
  const isBeside = task.parent !== null && source !== "" && !" \t".includes(text.charAt(task.start - 1));
  return isBeside || /^\S+ \[.\]\*? \S+ \(P\) |_(?:Boundary|Depends):/.test(source);
}

/** Whether a plan has the title that Kiro writes, or a task with Kiro's label `_Requirements:`. */
const saysKiro = ({ headings, sample, sourceOf }: SeenPlan): boolean =>
  headings.some(({ level, title }) => level === 1 && /^(?:Implementation Plan|实现计划|実装計画)/u.test(title)) ||
  sample.some((task) => /_(?:Requirements?|需求|要件): /u.test(sourceOf(task)));

/** Whether most ids repeat the number of a heading such as `任务 1：`. */
const isBelowTask = ({ named }: SeenPlan): boolean =>
  isMost(named, ({ id, phase }) => {
    const number = /^(?:Task|任务|タスク)[ \t]?(\d{1,4})(?!\d)/u.exec(phase ?? "")?.[1];
    return number !== undefined && id.startsWith(`${number}.`);
  });
