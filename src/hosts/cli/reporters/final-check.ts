import type { TimedRunEvent } from "../../../model/event.ts";
import type { TreeRow } from "./tree-row.ts";

/** The final check as a row behind those of the plan, while it runs: null before and after. */
export function finalCheck(before: TreeRow | null, event: TimedRunEvent): TreeRow | null {
  if (event.type === "run.ended") return null;
  if (event.type !== "check.started") return before;
  const work = { stage: "verify", since: Date.parse(event.at), act: event.command, output: null } as const;
  return { id: "the plan", title: "", depth: 0, state: "running", level: "", note: "final check", work };
}
