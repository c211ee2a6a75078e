import { doubtCommand } from "../../model/doubtful-command.ts";
import type { Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { readVerify } from "../tasks/read-verify.ts";
import { alwaysPasses, type FreePass, hidesExit } from "./always-passes.ts";
import { finding, quote } from "./finding.ts";
import { demandsPassingTests, endlessCommand, invertedSearch } from "./judge-command.ts";

/** Find Verify commands that prove nothing. Fix tasks are skipped, since they copy their original. */
export const findVerifyProblems = (tasks: readonly Task[]): Problem[] =>
  tasks.flatMap((task) => (task.fixOf === null ? checkTask(task) : []));

function checkTask(task: Task): Problem[] {
  const { id, line, markers, fields } = task;
  if (fields.verify === undefined) return [];
  const verify = readVerify(fields.verify);
  if (verify.kind === "unrunnable") return [finding("unrunnable-verify", line, id, verify.reason)];
  const prose = proseVerify(task);
  if (prose !== null) return [prose];
  const unending = endlessCommand(verify.command);
  if (unending !== null) return [finding("endless-verify", line, id, unending)];
  const free = alwaysPasses(verify.command);
  if (free !== null) return [finding("vacuous-verify", line, id, whyFree(free), free.operator === "|")];
  const hiding = hidesExit(verify.command);
  if (hiding !== null)
    return [finding("vacuous-verify", line, id, `only the exit code of ${quote(hiding.command)} counts`, true)];
  const search = invertedSearch(
    verify.command,
    [task.title, fields.do, fields.doneWhen, fields.verify].map((text) => text ?? ""),
  );
  if (search !== null) return [finding("inverted-verify", line, id, search)];
  return markers.includes("RED") && demandsPassingTests(verify.command) ? [finding("red-verify", line, id)] : [];
}

/** Report a Verify that would be run but is prose or has a shell prompt; null for any other Verify. */
export function proseVerify({ id, line, fields }: Pick<Task, "id" | "line" | "fields">): Problem | null {
  const verify = readVerify(fields.verify);
  if (verify.kind === "unrunnable") return null;
  const doubt = doubtCommand(verify.command);
  if (doubt === null) return null;
  return finding("prose-verify", line, id, doubt.kind === "prose", verify.command, doubt.meant);
}

function whyFree({ operator, command }: FreePass): string {
  if (command === "") return "it has no command";
  return `${quote(command)}${operator === null ? "" : ` after \`${operator}\``} always exits with 0`;
}
