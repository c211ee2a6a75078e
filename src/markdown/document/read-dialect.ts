import type { Dialect } from "../../model/plan.ts";
import type { Task } from "../../model/task.ts";
import { dialects } from "../dialects/dialects.ts";
import { isGeneratedId } from "../tasks/generated-id.ts";
import type { PlacedHeading } from "./heading-tasks.ts";

/** Tell the dialect of a plan: the first whose signs it has; a checklist, which needs none, is the last. */
export function readDialect(tasks: readonly Task[], headings: readonly PlacedHeading[], text: string): Dialect {
  const planned = tasks.filter(({ fixOf }) => fixOf === null);
  const named = planned.filter(({ id }) => !isGeneratedId(id));
  const seen = { planned, named, headings, text };
  return (dialects.find(({ fits }) => fits(seen)) as (typeof dialects)[number]).name;
}
