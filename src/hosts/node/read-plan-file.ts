import { readPlanText } from "../../adapters/read-plan-text.ts";
import { refused } from "../../adapters/refused.ts";
import { readPlan } from "../../markdown/read-plan.ts";
import type { Plan } from "../../model/plan.ts";

/**
 * Read a plan with the text that it stands in. Changes nothing.
 *
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 * @throws {EnvironmentError} `file-refused`
 */
export function readPlanFile(path: string): { readonly plan: Plan; readonly text: string } {
  const text = refused("read", path, () => readPlanText(path));
  return { plan: readPlan(text), text };
}
