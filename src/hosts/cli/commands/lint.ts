import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { lintPlan } from "../../../markdown/lint-plan.ts";
import { readPlan } from "../../../markdown/read-plan.ts";
import { InputError } from "../../../model/errors.ts";
import type { Problem } from "../../../model/problem.ts";
import { findSpec } from "../../node/find-spec.ts";
import type { CliCommand } from "../cli-command.ts";
import { countOf } from "../count-of.ts";
import { escapeText } from "../escape-text.ts";
import { renderJson } from "../render-json.ts";

/** Every problem of a plan with its line. Exit code 1 when one of them would stop a run. */
export const lint: CliCommand = {
  options: [{ flags: "--json", summary: "one JSON object" }],
  example: "fixpoint lint specs/my-feature/tasks.md",
  async run(given, words, { terminal, folder }) {
    const file = await findPlan(given, folder);
    const problems = lintPlan(readPlan(await readText(file.path)));
    const errors = problems.filter(({ severity }) => severity === "error").length;
    if (words["json"] === true) terminal.out(`${renderJson({ file: file.path, errors, problems })}\n`);
    else {
      for (const problem of problems) terminal.out(renderProblem(file.name, problem));
      terminal.out(
        `${countOf(errors, "error", "errors")}, ${countOf(problems.length - errors, "warning", "warnings")}\n`,
      );
    }
    return errors === 0 ? 0 : 1;
  },
};

interface PlanFile {
  /** As it stands in front of each problem. */
  readonly name: string;
  readonly path: string;
}

async function findPlan(given: string | undefined, folder: string): Promise<PlanFile> {
  const path = given === undefined ? undefined : resolve(folder, given);
  const isFile =
    path !== undefined &&
    (await stat(path).then(
      (found) => found.isFile(),
      () => false,
    ));
  return given !== undefined && isFile
    ? { name: given, path }
    : { name: "tasks.md", path: findSpec(given, folder).tasksPath };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new InputError(`Cannot read \`${path}\`, expected a file that may be read`, {
      code: "plan-unreadable",
      cause,
    });
  }
}

const renderProblem = (file: string, { line, severity, rule, message, hint }: Problem): string =>
  `${escapeText(`${file}:${line} ${severity} ${rule}: ${message}`)}\n  ${escapeText(hint)}\n`;
