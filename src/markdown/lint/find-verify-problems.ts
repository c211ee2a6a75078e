import { doubtCommand } from "../../model/doubtful-command.ts";
import { lintProblem, type Problem } from "../../model/rule.ts";
import type { Task } from "../../model/task.ts";
import { readVerify } from "../tasks/read-verify.ts";
import { alwaysPasses, type FreePass, hidesExit } from "./always-passes.ts";
import { demandsPassingTests, endlessCommand, invertedSearch } from "./judge-command.ts";

/** What a Verify does not prove. Fix tasks have that of their original. */
export const findVerifyProblems = (tasks: readonly Task[]): Problem[] =>
  tasks.flatMap((task) => (task.fixOf === null ? checkTask(task) : []));

function checkTask(task: Task): Problem[] {
  const { id, line, markers, fields } = task;
  if (fields.verify === undefined) return [];
  const verify = readVerify(fields.verify);
  if (verify.kind === "unrunnable") return [unrunnableVerify(id, line, verify.reason)];
  const prose = proseVerify(task);
  if (prose !== null) return [prose];
  const unending = endlessCommand(verify.command);
  if (unending !== null) return [endless(id, line, unending)];
  const free = alwaysPasses(verify.command);
  if (free !== null) return [vacuous(id, line, whyFree(free), free.operator)];
  const hiding = hidesExit(verify.command);
  if (hiding !== null) return [vacuous(id, line, `only the exit code of ${quote(hiding.command)} counts`, "|")];
  const search = invertedSearch(
    verify.command,
    [task.title, fields.do, fields.doneWhen, fields.verify].map((text) => text ?? ""),
  );
  if (search !== null) return [inverted(id, line, search)];
  return markers.includes("RED") && demandsPassingTests(verify.command) ? [red(id, line)] : [];
}

/** A Verify that is not run. @param reason A clause, as `readVerify` gives it. */
export const unrunnableVerify = (id: string, line: number, reason: string): Problem =>
  lintProblem(
    "unrunnable-verify",
    line,
    `The Verify of task \`${id}\` is not run: ${reason}`,
    "Write one command in a code span or a fence, and what to expect under Done when.",
  );

/** A Verify that is no command but looks like one; null for any other. */
export function proseVerify({ id, line, fields }: Pick<Task, "id" | "line" | "fields">): Problem | null {
  const verify = readVerify(fields.verify);
  if (verify.kind === "unrunnable") return null;
  const doubt = doubtCommand(verify.command);
  if (doubt === null) return null;
  const what = doubt.kind === "prose" ? "a sentence, not a command" : "written with the prompt of a terminal";
  return lintProblem(
    "prose-verify",
    line,
    `The Verify of task \`${id}\` is ${what}: ${quote(verify.command)}`,
    doubt.meant === ""
      ? "Write a command in a code span, and the sentence under Done when."
      : `Write the command alone, in a code span: ${quote(doubt.meant)}`,
  );
}

const endless = (id: string, line: number, command: string): Problem =>
  lintProblem(
    "endless-verify",
    line,
    `The Verify of task \`${id}\` does not end by itself: ${quote(command)}`,
    "Write a command that runs once, such as `vitest run`, or asks the server something and ends it.",
  );

const inverted = (id: string, line: number, search: string): Problem =>
  lintProblem(
    "inverted-verify",
    line,
    `The Verify of task \`${id}\` passes when ${quote(search)} finds something, but the task wants nothing to be found`,
    `Turn it round: \`! ${search}\``,
  );

const vacuous = (id: string, line: number, why: string, operator: FreePass["operator"]): Problem =>
  lintProblem(
    "vacuous-verify",
    line,
    `The Verify of task \`${id}\` passes whatever the task did: ${why}`,
    operator === "|"
      ? "Remove the part after the last `|`: only the exit code of the last command counts."
      : "Write a command that fails as long as the task is not done.",
  );

function whyFree({ operator, command }: FreePass): string {
  if (command === "") return "it has no command";
  return `${quote(command)}${operator === null ? "" : ` after \`${operator}\``} always exits with 0`;
}

const quote = (command: string): string => `\`${command.length > 60 ? `${command.slice(0, 59)}…` : command}\``;

const red = (id: string, line: number): Problem =>
  lintProblem(
    "red-verify",
    line,
    `The Verify of task \`${id}\` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails`,
    "Turn it round, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
  );
