import { createHash } from "node:crypto";
import { readVerify } from "../../markdown/tasks/read-verify.ts";
import { InputError } from "../../model/errors.ts";
import type { Plan } from "../../model/plan.ts";
import { noVerify } from "../../recover/write-fix-task.ts";
import type { SpecFolder } from "./find-spec.ts";
import type { RunOptions } from "./run-options.ts";
import type { Start } from "./start.ts";

/** What a plan would run by itself. */
export interface VerifyCommands {
  readonly commands: readonly string[];
  /** Of the commands, whatever their order. */
  readonly hash: string;
  /** Tasks whose Verify is there but cannot be run. */
  readonly unrunnable: number;
}

export const hashOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The Verify commands of a plan. Those that fix tasks are made with are copies, and add none to them. */
export function verifyCommands(plan: Plan): VerifyCommands {
  const read = plan.tasks.map(({ fixOf, fields }) => {
    return { isFix: fixOf !== null, given: fields.verify !== undefined, ...readVerify(fields.verify) };
  });
  const written = read.flatMap((verify) =>
    verify.kind === "command" && !(verify.isFix && verify.command === noVerify) ? [verify.command] : [],
  );
  const commands = [...new Set(written)].sort();
  return {
    commands,
    hash: hashOf(JSON.stringify(commands)),
    unrunnable: read.filter(({ isFix, given, kind }) => !isFix && given && kind === "unrunnable").length,
  };
}

/**
 * Make sure that the owner has agreed to these commands: they are code.
 *
 * @param approved Hash of those that were agreed to before.
 * @throws {InputError} `verify-unconfirmed`
 */
export async function askConsent(
  { commands, hash }: VerifyCommands,
  approved: string | undefined,
  { yes = false, confirm }: Pick<RunOptions, "yes" | "confirm">,
): Promise<void> {
  if (commands.length === 0 || hash === approved || yes) return;
  if (await confirm?.("This plan runs these commands to verify its tasks. Run them?", commands)) return;
  throw new InputError(
    `Cannot run the plan's Verify commands without consent, expected \`--yes\` or an answer on a terminal:\n${commands
      .map((command) => `  ${command}`)
      .join("\n")}`,
    { code: "verify-unconfirmed", hint: "Read them, then run again with --yes" },
  );
}

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
 * Check again, holding the spec, what was checked before: the plan may have been changed in between.
 *
 * @throws {InputError} `plan-refused`, `plan-changed`
 */
export function checkPlan(plan: Plan, { spec, verifyHash }: Pick<Start, "spec" | "verifyHash">): void {
  refuseProblems(plan, spec);
  if (verifyHash === null || verifyCommands(plan).hash === verifyHash) return;
  throw new InputError("Cannot begin, the plan's Verify commands were changed at that moment", {
    code: "plan-changed",
    hint: "Run again: the commands are shown anew",
  });
}
