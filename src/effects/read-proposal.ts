import { readProposedTask } from "../markdown/insert-tasks.ts";
import { readVerify } from "../markdown/tasks/read-verify.ts";
import { whyNoProgram } from "../model/doubtful-command.ts";
import type { NewTask } from "../model/plan-change.ts";
import type { ModificationRequest } from "../model/reply.ts";
import type { ParsedRequest } from "../parse/parse-modification-request.ts";
import type { Shell } from "../ports/shell.ts";

/** An executor's request, with its tasks parsed. */
export interface Proposal {
  readonly request: ModificationRequest;
  readonly tasks: readonly NewTask[];
  /** The Verify commands of the tasks. */
  readonly commands: readonly string[];
}

/**
 * Parse the tasks of a request, or say why it must be refused. Every task must be complete, and its Verify must be able
 * to run.
 */
export async function readProposal(
  parsed: ParsedRequest,
  shell: Pick<Shell, "exists">,
): Promise<Proposal | { readonly reason: string }> {
  if (parsed.kind === "none") return { reason: "it requests nothing" };
  if (parsed.kind === "malformed") return { reason: parsed.reason };
  const tasks: NewTask[] = [];
  const commands: string[] = [];
  for (const markdown of parsed.request.proposedTasks) {
    const task = readProposedTask(markdown);
    if ("problem" in task) return { reason: task.problem };
    const verify = readVerify(task.fields.verify);
    if (verify.kind === "unrunnable")
      return { reason: `the Verify of task ${task.id} cannot be run: ${verify.reason}` };
    if (verify.word !== null && !(await shell.exists(verify.word))) {
      const { why } = whyNoProgram(verify.command, verify.word);
      return { reason: `the Verify of task ${task.id} cannot be run: ${why}` };
    }
    tasks.push(task);
    commands.push(verify.command);
  }
  return { request: parsed.request, tasks, commands };
}
