import type { TimedRunRecord } from "../../model/record.ts";
import { effectOf, taskOf } from "../../model/reply.ts";
import { isServiceKind } from "../../model/service-problem.ts";
import type { TaskId } from "../../model/task-id.ts";
import { currentTurn } from "../../runtime/replay.ts";

/** Tasks of the turn that is under way that were begun and have come to no end yet, whether or not they wait. */
export function tasksAtWork(records: readonly TimedRunRecord[]): ReadonlySet<TaskId> {
  const atWork = new Set<TaskId>();
  for (const record of currentTurn(records)) {
    if (record.type === "delegated") atWork.add(record.task);
    else if (record.type === "answered" && leaves(record.key, record.answer)) atWork.delete(taskOf(record.key));
  }
  return atWork;
}

/** Whether an answer takes its task out of work: until it is delegated again, if it is. */
function leaves(key: string, answer: unknown): boolean {
  const { kind } = answer as { kind?: string };
  switch (effectOf(key)) {
    case "verify":
      return kind === "rejected" || kind === "gate";
    case "readFailure":
      return !isServiceKind(kind);
    case "changePlan":
      return kind === "replanned" || kind === "gate";
    case "wait":
      return kind === "gate";
    default:
      return effectOf(key) === "recordPass";
  }
}
