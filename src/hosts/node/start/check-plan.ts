import { InputError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import { runsTheSame, verifyCommands } from "../consent/verify-commands.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { Start } from "./start.ts";

/**
 * Refuse a plan that a run cannot follow.
 *
 * @throws {InputError} `plan-refused`
 */
export function refuseProblems({ problems }: Plan, { tasksPath }: SpecFolder): void {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return;
  const list = errors.map(({ line, rule, message }) => `  line ${line} ${rule}: ${message}`).join("\n");
  throw new InputError(`Cannot run the plan at ${tasksPath}:\n${list}`, {
    code: "plan-refused",
    hint: errors[0]?.hint ?? "Mend these lines, then run again",
  });
}

/**
 * Check the plan once more while holding the spec: somebody may have changed it since the first check.
 *
 * @throws {InputError} `plan-refused`, `plan-changed`
 */
export async function checkPlan(
  plan: Plan,
  { spec, agreed, documents }: Pick<Start, "spec" | "agreed" | "documents">,
): Promise<void> {
  refuseProblems(plan, spec);
  if (agreed === null || runsTheSame(await verifyCommands(plan, documents), agreed)) return;
  throw new InputError("Cannot begin, the plan's Verify commands were changed at that moment", {
    code: "plan-changed",
    hint: "Run again: the commands are shown anew",
  });
}
