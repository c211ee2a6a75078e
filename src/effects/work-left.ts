import type { EffectInput } from "../model/effect.ts";
import type { Plan } from "../model/plan.ts";
import { planWithout } from "../model/plan-parts.ts";
import type { TaskId } from "../model/task.ts";
import { workIn } from "../model/work-in.ts";
import { findWaiting } from "./find-waiting.ts";
import { openMilestones } from "./shipping/milestones.ts";
import type { WholePorts } from "./with-memory.ts";

/** The remaining work of a plan. */
interface WorkLeft {
  /** Without skipped and superseded tasks, and without headings. */
  readonly plan: Plan;
  /** Also without tasks that wait for a person, or are left aside. */
  readonly work: Plan;
  /** Tasks with an open question, and those that wait for them. */
  readonly asking: readonly TaskId[];
  readonly waiting: readonly TaskId[];
}

/** Find the remaining work. */
export async function workLeft(
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
  const work = workIn(planWithout(plan, [...asking, ...waiting]), { optional, people: !unattended });
  return { plan, work, asking, waiting };
}

const nobody = { asking: [], waiting: [] };
