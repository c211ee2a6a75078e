import { readPaths } from "../markdown/lint/find-shared-files.ts";
import { isCheckedLater } from "../markdown/tasks/read-verify.ts";
import type { EffectInput } from "../model/effect.ts";
import { pathsOverlap } from "../model/paths.ts";
import type { Plan } from "../model/plan.ts";
import { choiceOf, planWithout } from "../model/plan-parts.ts";
import { groupsOf, selectWork } from "../model/select-work.ts";
import { kindOf, roleOf, type Task, type TaskId } from "../model/task.ts";
import { openMilestones } from "./shipping/shipping-ports.ts";
import type { WholePorts } from "./with-memory.ts";

interface WorkLeft {
  /** The plan without skipped tasks, superseded tasks and headings. */
  readonly plan: Plan;
  /** `plan` without tasks for a person, tasks set aside, and tasks in `asking` and `waiting`. */
  readonly work: Plan;
  readonly asking: readonly TaskId[];
  /** Tasks that wait for a task in `asking`. */
  readonly waiting: readonly TaskId[];
}

export async function remainingWork(
  ports: WholePorts,
  {
    ships = false,
    optional = false,
    unattended = false,
  }: Pick<EffectInput<"chooseTask">, "ships" | "optional" | "unattended">,
): Promise<WorkLeft> {
  const { attempts } = ports;
  const milestones = ships ? (await openMilestones(ports)).keys() : [];
  const known = (await ports.plan.known()).plan;
  const plan = planWithout(known, [...attempts.skipped().keys(), ...attempts.superseded().keys(), ...milestones]);
  const parked = [...attempts.parked().keys()];
  const { asking, waiting } = parked.length === 0 ? nobody : findWaiting(plan, parked);
  const work = selectWork(planWithout(plan, [...asking, ...waiting]), choiceOf({ optional, unattended }));
  return { plan, work, asking, waiting };
}

const nobody = { asking: [], waiting: [] };

interface Waiting {
  readonly asking: readonly TaskId[];
  /** Tasks that wait for a task in `asking`, in plan order. */
  readonly waiting: readonly TaskId[];
}

/**
 * Find the tasks that wait for a task with an open question: its dependents and parent tasks, later tasks with the same
 * `Files`, later `[VERIFY]` tasks of its phase, and goal verifications. Tasks that wait for a found task are found,
 * too.
 *
 * @param parked Planned tasks; finished tasks are ignored.
 */
function findWaiting({ tasks }: Plan, parked: readonly TaskId[]): Waiting {
  const holderOf = groupsOf(tasks);
  const open = tasks.flatMap((task, place) => (task.done ? [] : [{ task, place }]));
  const asking = open.filter(({ task: { id } }) => parked.includes(id));
  if (asking.length === 0) return { asking: [], waiting: [] };
  const left = open
    .filter(({ task }) => task.fixOf === null && !parked.includes(task.id))
    .map((each) => ({ ...each, needs: needsOf(each.task) }));
  const found = [...asking];
  for (const earlier of found) {
    for (const one of left) if (!found.includes(one) && waitsFor(one, earlier)) found.push(one);
  }
  const waiting = left.filter((one) => found.includes(one));
  return { asking: asking.map(({ task }) => task.id), waiting: waiting.map(({ task }) => task.id) };

  function needsOf(task: Task): readonly TaskId[] {
    const all = new Set<Task>();
    for (let one: Task | undefined = task; one !== undefined && !all.has(one); one = holderOf(one)) all.add(one);
    return [...all].flatMap(({ after = [] }) => after);
  }
}

interface Placed {
  readonly task: Task;
  readonly place: number;
}

function waitsFor({ task, place, needs }: Placed & { readonly needs: readonly TaskId[] }, earlier: Placed): boolean {
  const { id, parent, phase, fields } = earlier.task;
  if (needs.includes(id) || parent === task.id) return true;
  if (place < earlier.place) return false;
  if (kindOf(task) === "goal" || (roleOf(task) === "verifier" && task.phase === phase)) return true;
  const own = readPaths(task.fields.files ?? "");
  return readPaths(fields.files ?? "").some((path) => own.some((other) => pathsOverlap(path, other)));
}

type Known = Pick<WholePorts, "attempts" | "check">;

/** Accepted tasks of the plan that the project check has not verified yet. */
export function tasksToCheck({ attempts, check }: Known, { tasks }: Pick<Plan, "tasks">): Task[] {
  const proofs = attempts.proofs();
  return tasks.filter((task) => task.done && proofs.get(task.id)?.kind === "unverified" && isCheckedLater(task, check));
}

export const openIn = ({ tasks }: Pick<Plan, "tasks">): Task[] =>
  tasks.filter(({ done, isGroup }) => !done && isGroup !== true);

/**
 * Whether the project check is due: before the first task that it verifies, at the end of each phase with tasks to
 * verify, and at the end of the plan.
 *
 * @param work The remaining plan.
 */
export function isCheckDue(
  ports: Known,
  { plan, work, verifyBefore }: { readonly plan: Plan; readonly work: Plan; readonly verifyBefore: boolean },
): boolean {
  const { attempts, check } = ports;
  if (check == null || check.every === "task") return false;
  const open = openIn(work);
  const waiting = tasksToCheck(ports, plan);
  const last = attempts.checked();
  if (last === null && waiting.length === 0) return verifyBefore && open.some((task) => isCheckedLater(task, check));
  if (open.length === 0 || check.every === "end") return open.length === 0 && waiting.length > 0;
  const phases = new Set(open.map(({ phase }) => phase));
  return waiting.some(({ id, phase }) => !phases.has(phase) && last?.carried.includes(id) !== true);
}
