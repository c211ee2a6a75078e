import type { Policy } from "../src/model/policy.ts";
import type { SpecContext } from "../src/model/spec-context.ts";
import { ownInput } from "./check-input.ts";
import type { TaskInput } from "./task-input.ts";

/** The task that was chosen. Fix tasks are made for some whatever the policy says. */
export function inputOfTask({ chosen, policy, paused }: SpecContext): TaskInput {
  const { alwaysFixed, ...task } = chosen as NonNullable<SpecContext["chosen"]>;
  const fixing: Policy["recovery"] =
    alwaysFixed && !policy.recovery.includes("fix") ? withFix(policy) : policy.recovery;
  return ownInput({ ...task, paused, policy: fixing === policy.recovery ? policy : { ...policy, recovery: fixing } });
}

/** Fix tasks take the place of plain retries; the rest of the ladder stays. */
const withFix = ({ recovery }: Policy): Policy["recovery"] => ["fix", ...recovery.filter((rung) => rung !== "retry")];
