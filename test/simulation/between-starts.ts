import { EnvironmentError } from "../../src/model/errors.ts";
import { lineageOf } from "../../src/model/task.ts";
import { editedPlan } from "./edit-plan.ts";
import type { Scenery } from "./scenery.ts";
import type { StartEnd, Words } from "./start-once.ts";

export function nextWords({ world }: Scenery, end: StartEnd, starts: readonly string[]): Words | null {
  if (end.kind === "broken") return null;
  if (end.kind === "killed") return {};
  const random = world.chanceOf("return");
  // A failed write is a temporary problem, so the person continues.
  if (end.kind === "refused" && end.error instanceof EnvironmentError) return { yes: true };
  if (end.kind === "refused")
    return starts.slice(-3).every((start) => start === "refused") && starts.length > 2 ? null : { yes: true };
  const { outcome } = end.ended;
  const asked = starts.filter((start) => ["gate", "checkpoint", "cancelled", "skipped"].includes(start)).length;
  if (outcome === "environment" || outcome === "interrupted") return {};
  if (outcome === "complete") return null;
  // Repeats a start that ended at a limit, to assert that the limit holds. Ignores starts that faults ended.
  const told = starts.filter((start) => !["killed", "refused", "environment"].includes(start));
  if (outcome === "limit") {
    return told.at(-2) === "limit" || (world.options.compare !== true && random.chance(0.8)) ? null : {};
  }
  if (asked > 5 || random.chance(world.rates.away)) return null;
  return random.pick<Words>([
    { yes: true },
    { yes: true, decision: random.pick(["retry", "skip", "skip-task", "stop"] as const) },
    { yes: true, decision: "retry" },
    { yes: true, guidance: "Look again" },
    { yes: true, resume: true },
  ]);
}

export async function betweenStarts({ world, passes, records }: Scenery, end: StartEnd): Promise<void> {
  const random = world.chanceOf("between");
  await world.clock.wait(random.below(30_000));
  const before = world.store.tasks.text;
  const standing = world.plan();
  if (end.kind === "refused" && end.error.code === "plan-refused") {
    world.tell("a person takes the plan back to what it was at first");
    world.store.tasks.text = world.begun;
  } else if (random.chance(world.rates.edit)) {
    const kind = random.among({ tickOther: 4, untick: 2, note: 3, verify: 1, add: 2, remove: 1, swap: 1, rename: 1 });
    world.store.tasks.text = editedPlan(before, "1.1", kind, random);
    world.count("edit");
    world.tell(`a person edits the plan: ${kind}`);
  }
  const isBroken = end.kind === "killed" || end.kind === "refused";
  const after = world.plan();
  if (world.store.tasks.text !== before) passes.byHand(standing, after, isBroken);
  // After a recorded end, only people clear boxes, so without their edits nothing is reopened.
  else if (end.kind === "ended" && end.ended.outcome !== "environment") return;
  // Includes removed tasks, because a task that returns with the same id may be a different task.
  const done = new Set(after.tasks.flatMap((task) => (task.done ? [task.id] : [])));
  const open = [...standing.tasks, ...after.tasks].map(({ id }) => id).filter((id) => !done.has(id));
  // A reopened fix also reopens the tasks that it repairs, because these are retried after the fix.
  const repaired = new Map(after.tasks.map(({ id, fixOf }) => [id, fixOf]));
  records.reopen(open.flatMap((id) => lineageOf(id, (fix) => repaired.get(fix))));
}
