import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { readRealityCheck } from "../../../markdown/progress/reality-check.ts";
import { readVerify } from "../../../markdown/tasks/read-verify.ts";
import type { Plan } from "../../../model/plan.ts";
import { kindOf } from "../../../model/task.ts";
import type { Documents } from "../../../ports/documents.ts";

export interface VerifyCommands {
  /** Verify commands in the order of the plan, without duplicates. */
  readonly commands: readonly string[];
  /** The command of the reality check for goal verification, if there is one. */
  readonly reality: readonly string[];
  /** Number of tasks with a Verify that cannot be run. */
  readonly unrunnable: number;
}

/** Whether two plans run the same commands for the same purposes. */
export const runsTheSame = (one: VerifyCommands, other: VerifyCommands): boolean =>
  isDeepStrictEqual([one.commands, one.reality], [other.commands, other.reality]);

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

const shown = 16;

export const shortHash = (...facts: readonly unknown[]): string => hashOf(JSON.stringify(facts)).slice(0, shown);

/**
 * Collect the Verify commands of a plan, and the command of the reality check for its goal verification. Fix tasks copy
 * these commands and add none.
 *
 * @param project Command that checks the tasks without a Verify; null if there is none.
 */
export async function verifyCommands(
  plan: Plan,
  { progress }: Pick<Documents, "progress">,
  project: string | null,
): Promise<VerifyCommands> {
  const written = known.get(plan) ?? writtenIn(plan);
  known.set(plan, written);
  const { hasGoal, commands, unrunnable } = written;
  const check = hasGoal ? readRealityCheck(await progress()) : null;
  const reality = check === null ? [] : [check.command];
  return { commands: project === null ? commands : [...new Set([...commands, project])].sort(), reality, unrunnable };
}

interface Written extends Pick<VerifyCommands, "commands" | "unrunnable"> {
  readonly hasGoal: boolean;
}

/** Cache: a start needs the commands twice, usually for the same plan. */
const known = new WeakMap<Plan, Written>();

function writtenIn({ tasks }: Plan): Written {
  const commands = new Set<string>();
  let unrunnable = 0;
  for (const { fixOf, fields } of tasks) {
    const verify = readVerify(fields.verify);
    if (verify.kind === "command") commands.add(verify.command);
    if (verify.kind === "unrunnable" && fixOf === null && fields.verify !== undefined) unrunnable += 1;
  }
  return { hasGoal: tasks.some((task) => kindOf(task) === "goal"), commands: [...commands].sort(), unrunnable };
}
