import { lintProblem, type Problem } from "../../model/problem.ts";
import type { Task } from "../../model/task.ts";
import { readVerify } from "../tasks/read-verify.ts";
import { alwaysPasses, type FreePass } from "./always-passes.ts";
import { demandsPassingTests } from "./demands-passing-tests.ts";

/** What a Verify does not prove. Fix tasks have that of their original. */
export const findVerifyProblems = (tasks: readonly Task[]): Problem[] =>
  tasks.flatMap((task) => (task.fixOf === null ? checkTask(task) : []));

function checkTask({ id, line, markers, fields }: Task): Problem[] {
  if (fields.verify === undefined) return [];
  const verify = readVerify(fields.verify);
  if (verify.kind === "unrunnable") return [unrunnableVerify(id, line, verify.reason)];
  const free = alwaysPasses(verify.command);
  if (free !== null) return [vacuous(id, line, free)];
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

const vacuous = (id: string, line: number, { operator, command }: FreePass): Problem =>
  lintProblem(
    "vacuous-verify",
    line,
    `The Verify of task \`${id}\` passes whatever the task did: ${whyFree(operator, command)}`,
    operator === "|"
      ? "Remove the part after the last `|`: only the exit code of the last command counts."
      : "Write a command that fails as long as the task is not done.",
  );

function whyFree(operator: FreePass["operator"], command: string): string {
  if (command === "") return "it has no command";
  const code = `\`${command.length > 60 ? `${command.slice(0, 59)}…` : command}\``;
  return operator === null ? `${code} always exits with 0` : `${code} after \`${operator}\` always exits with 0`;
}

const red = (id: string, line: number): Problem =>
  lintProblem(
    "red-verify",
    line,
    `The Verify of task \`${id}\` exits with 0 only if its tests pass, but a task marked [RED] writes one that fails`,
    "Turn it round, as in `! npm test`, or look for the failure: `npm test 2>&1 | grep -q FAIL && echo RED_PASS`.",
  );
