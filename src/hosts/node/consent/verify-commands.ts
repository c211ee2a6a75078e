import { createHash } from "node:crypto";
import { readRealityCheck } from "../../../markdown/progress/read-reality-check.ts";
import { readVerify } from "../../../markdown/tasks/read-verify.ts";
import type { Plan } from "../../../model/plan.ts";
import { kindOf } from "../../../model/task-kind.ts";
import type { Documents } from "../../../ports/documents.ts";

/** The commands that a plan makes a run execute. */
export interface VerifyCommands {
  readonly commands: readonly string[];
  /** The command of the reality check that a goal verification runs, if there is one. */
  readonly reality: readonly string[];
  /** Hash of all of them, whatever their order. */
  readonly hash: string;
  /** Tasks whose Verify is there but cannot be run. */
  readonly unrunnable: number;
}

/** The hash of commands and their purpose, whatever their order. */
const hashCommands = (verify: Iterable<string>, reality: Iterable<string>): string =>
  hashOf(JSON.stringify([...[...verify].sort(), ...[...reality].map((command) => ["reality", command])]));

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * The Verify commands of a plan, and the command of the reality check that its goal verification runs. Fix tasks have
 * copies of these commands and add none.
 */
export async function verifyCommands(plan: Plan, { progress }: Pick<Documents, "progress">): Promise<VerifyCommands> {
  const written = known.get(plan) ?? writtenIn(plan);
  known.set(plan, written);
  const { hasGoal, commands, unrunnable } = written;
  const check = hasGoal ? readRealityCheck(await progress()) : null;
  const reality = check === null ? [] : [check.command];
  return { commands, reality, hash: hashCommands(commands, reality), unrunnable };
}

/** The commands that stand in the plan itself. */
interface Written extends Pick<VerifyCommands, "commands" | "unrunnable"> {
  readonly hasGoal: boolean;
}

/** A start asks twice, about the same plan unless somebody changed it in between. */
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
