import { stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { countOf } from "../../../model/count-of.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import type { Problem } from "../../../model/problem.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import type { CliCommand } from "../cli-command.ts";
import { findProblems } from "../find-problems.ts";
import { readConfig } from "../options/config.ts";
import { renderJson } from "../render-json.ts";

/** Every problem of a plan with its line. Exit code 1 when one of them is an error. */
export const lint: CliCommand = {
  options: [
    { flags: "--json", summary: "one JSON object" },
    { flags: "--cwd <workspace>", summary: "folder in which Verify commands would run (default: the current one)" },
  ],
  example: "fixpoint lint specs/my-feature/tasks.md",
  async run(given, values, surroundings) {
    const { terminal, folder } = surroundings;
    const cwd = typeof values["cwd"] === "string" ? values["cwd"] : undefined;
    const place = resolve(folder, cwd ?? ".");
    const file = await findPlan(given, folder, place);
    const config = await readConfig([dirname(file.path), place]);
    const { plan, text } = readLinted(file.path);
    // Asked for when commands are started; what comes before may be broken off anywhere.
    const { signal } = surroundings;
    const problems = await findProblems({ plan, text, config, cwd, folder }, signal);
    if (signal.aborted) return exitCodes.interrupted;
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const warnings = problems.length - errors;
    if (values["json"] === true) {
      terminal.out(`${renderJson({ file: file.path, dialect: plan.dialect, errors, warnings, problems })}\n`);
    } else {
      for (const problem of problems) terminal.out(renderProblem(file.name, problem));
      terminal.out(`${countOf(errors, "error", "errors")}, ${countOf(warnings, "warning", "warnings")}\n`);
    }
    return errors === 0 ? 0 : 1;
  },
};

interface PlanFile {
  /** As it stands in front of each problem. */
  readonly name: string;
  readonly path: string;
}

async function findPlan(given: string | undefined, folder: string, workspace: string): Promise<PlanFile> {
  const path = given === undefined ? undefined : resolve(folder, given);
  const isFile =
    path !== undefined &&
    (await stat(path).then(
      (found) => found.isFile(),
      () => false,
    ));
  return given !== undefined && isFile
    ? { name: given, path }
    : { name: "tasks.md", path: findSpec(given, workspace, "lint").tasksPath };
}

function readLinted(path: string): ReturnType<typeof readPlanFile> {
  try {
    return readPlanFile(path);
  } catch (cause) {
    if (!(cause instanceof EnvironmentError)) throw cause;
    throw new InputError(`Cannot read \`${path}\`, expected a file that may be read`, {
      code: "plan-unreadable",
      cause,
    });
  }
}

const renderProblem = (file: string, { line, severity, rule, message, hint }: Problem): string =>
  `${escapeText(`${file}:${line} ${severity} ${rule}: ${message}`)}\n  ${escapeText(hint)}\n`;
