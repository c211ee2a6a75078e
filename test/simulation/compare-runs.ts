import { attemptOf } from "../../src/model/reply.ts";
import type { FaultRun } from "./fault-run.ts";
import type { World } from "./world.ts";

/** I15, I27: kills, refusals and clock changes affect only the number of delegations. */
export function compareRuns(world: World, made: FaultRun, undisturbed: FaultRun): void {
  // The closed attempt has no reply, so its requests for changes are lost.
  const compared = isClosed(made) ? (["outcome"] as const) : (["outcome", "tasks", "progress", "summary"] as const);
  for (const what of compared) {
    if (made[what] === undisturbed[what]) continue;
    const [found, expected] = [made[what], undisturbed[what]].map((text) => JSON.stringify(text));
    world.violate("I15", `${what} is ${found}, undisturbed ${expected}`);
  }
}

function isClosed({ records }: FaultRun): boolean {
  const begun = new Set(records.flatMap((record) => (record.type === "delegated" ? [record.key] : [])));
  return records.some(
    (record) =>
      record.type === "answered" &&
      record.effect === "delegate" &&
      record.answer.kind === "done" &&
      begun.has(attemptOf(record.key)),
  );
}
