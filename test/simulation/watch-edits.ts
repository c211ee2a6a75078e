import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import { diffPlans } from "../../src/model/diff-plans.ts";
import type { FixTask } from "../../src/model/failure.ts";
import type { PlanChange } from "../../src/model/plan-change.ts";
import { repairedBy, type TaskId } from "../../src/model/task.ts";
import type { OpenPlan, PlanEdit } from "../../src/ports/documents.ts";
import type { World } from "./world.ts";

const fixNumber = (fix: string): number => Number(fix.slice(fix.lastIndexOf(".") + 1));

export function watchTick(
  world: World,
  { task, done }: { readonly task: TaskId; readonly done: boolean },
  edit: PlanEdit,
): PlanEdit {
  const { before, after } = edit;
  if (before.text === after.text) return edit;
  const found = before.plan.tasks.find(({ id }) => id === task);
  const box = found?.box ?? -1;
  const mark = done ? "x" : " ";
  if (`${before.text.slice(0, box)}${mark}${before.text.slice(box + 1)}` !== after.text) {
    world.violate("I7", `the tick of ${task} changed more than its box: ${both(edit)}`);
  }
  watchPlans(world, edit, { added: [], boxes: [task], why: `the tick of ${task}` });
  return edit;
}

export function watchInsertion(world: World, fix: FixTask, edit: PlanEdit): PlanEdit {
  const { before, after } = edit;
  if (before.text === after.text) return edit;
  const { id, fixOf } = fix;
  const why = `the insertion of ${id}`;
  watchSplice(world, edit, why);
  watchPlans(world, edit, { added: [id], boxes: [], why });
  const { tasks } = after.plan;
  const at = tasks.findIndex((task) => task.id === id);
  const parentAt = tasks.findIndex((task) => task.id === fixOf);
  if (parentAt === -1 || parentAt > at) world.violate("I3", `${id} is not after ${fixOf}: ${both(edit)}`);
  const numbers = tasks.filter((task) => task.fixOf === fixOf).map((task) => fixNumber(task.id));
  const isRising = numbers.every((number, index) => number > (numbers[index - 1] ?? 0));
  // Edits of other people may have moved or renamed an earlier fix.
  const isMoved = movings.some((what) => (world.counts[what] ?? 0) > 0);
  if (!isRising && !isMoved)
    world.violate("I3", `the fixes of ${fixOf} are in the order ${numbers.join(", ")}: ${both(edit)}`);
  if (repairedBy(id) !== fixOf) world.violate("I4", `${id} repairs ${fixOf}`);
  if (tasks[at]?.fixOf !== fixOf) world.violate("I4", `${id} is not marked as a fix of ${fixOf}: ${both(edit)}`);
  const [own, copied] = [tasks[at], tasks[parentAt]].map((task) => readVerify(task?.fields.verify));
  // Usually a fix has the Verify of the repaired task. A fix for the end of a run has the failed command.
  const broken = readVerify(fix.verify ?? undefined);
  const source = fix.late === true ? broken : copied;
  const wanted = fix.verify === null ? null : source?.kind === "command" ? source.command : undefined;
  if (wanted !== undefined && (own?.kind === "command" ? own.command : null) !== wanted) {
    world.violate("I12", `the Verify of ${id} is not that of ${fixOf}: ${both(edit)}`);
  }
  return edit;
}

const movings = ["edit", "plan edit: swap", "plan edit: rename"] as const;

export function watchClosing(world: World, task: TaskId, by: TaskId, edit: PlanEdit): PlanEdit {
  const { before, after } = edit;
  if (before.text === after.text) return edit;
  const box = before.plan.tasks.find(({ id }) => id === task)?.box ?? -1;
  const ticked = `${before.text.slice(0, box)}x${before.text.slice(box + 1)}`;
  const notes = after.text.matchAll(
    /(?:\r\n|\n|\r)[ \t]*(?:[-*+][ \t]+)?\*\*(?:Superseded by|Not needed for)\*\*: ([\w.-]+)(?=[\r\n]|$)/g,
  );
  const isNoted = [...notes].some(({ 0: line, 1: id, index }) => {
    const without = `${after.text.slice(0, index)}${after.text.slice(index + line.length)}`;
    return id === by && (without === ticked || without === before.text);
  });
  if (after.text !== ticked && !isNoted) {
    world.violate("I7", `the closing of ${task} changed more than its box and a note: ${both(edit)}`);
  }
  watchPlans(world, edit, { added: [], boxes: [task], why: `the closing of ${task}` });
  return edit;
}

export function watchChange(world: World, change: PlanChange, edit: PlanEdit): PlanEdit {
  const { before, after } = edit;
  if (before.text === after.text) return edit;
  const why = `the change for ${change.task}`;
  if (change.tick !== true) watchSplice(world, edit, why);
  const known = new Set(before.plan.tasks.map(({ id }) => id));
  const added = change.tasks.map(({ id }) => id).filter((id) => !known.has(id));
  watchPlans(world, edit, { added, boxes: [change.task], why });
  return edit;
}

interface Allowed {
  readonly added: readonly TaskId[];
  readonly boxes: readonly TaskId[];
  readonly why: string;
}

function watchPlans(world: World, edit: PlanEdit, { added, boxes, why }: Allowed): void {
  const missing = new Set(added);
  for (const difference of diffPlans(edit.before.plan, edit.after.plan)) {
    const isBox = difference.kind === "ticked" || difference.kind === "unticked";
    if (isBox && boxes.includes(difference.after.id)) continue;
    if (difference.kind === "added" && missing.delete(difference.after.id)) continue;
    world.violate("I6", `${why}: a task was ${difference.kind}: ${both(edit)}`);
  }
  for (const id of missing) world.violate("I13", `${why}: ${id} does not read as a task: ${both(edit)}`);
}

function watchSplice(world: World, { before, after }: PlanEdit, why: string): void {
  const grown = after.text.length - before.text.length;
  const start = commonStart(before, after);
  if (grown < 0 || before.text.slice(start) !== after.text.slice(start + grown)) {
    world.violate("I7", `${why} changed more than one place: ${both({ before, after })}`);
  }
}

function commonStart({ text: one }: OpenPlan, { text: other }: OpenPlan): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}

const both = ({ before, after }: PlanEdit): string => JSON.stringify({ before: before.text, after: after.text });
