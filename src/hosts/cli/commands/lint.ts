import { stat } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import * as z from "zod";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import { fixPlan } from "../../../markdown/lint/fix-plan.ts";
import { applySeverities, lintPlan, reportOn } from "../../../markdown/lint-plan.ts";
import { EnvironmentError, InputError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Problem } from "../../../model/rule.ts";
import { checkVerify } from "../../node/doctor/check-verify.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import { rewritePlan } from "../../node/rewrite-plan.ts";
import { renderJson } from "../cli-command.ts";
import { command, json } from "../command.ts";
import { type Config, readConfig } from "../options/config.ts";
import { chooseWorkspace } from "../options/merge-settings.ts";
import { flag } from "../options/read-flag.ts";
import { renderGithub, renderReport, sarifOf } from "./lint-report.ts";

export const lint = command({
  options: {
    json,
    cwd: flag(z.string(), "--cwd <workspace>", "folder in which Verify commands would run", {
      unset: "the current one",
    }),
    all: flag(z.boolean(), "--all", "list each problem separately, also those of done tasks"),
    fix: flag(z.boolean(), "--fix", "correct the problems in the plan that have only one solution, then list the rest"),
    format: flag(
      z.enum(["text", "sarif", "github"]),
      "--format <format>",
      "text, sarif, or github (for GitHub Actions)",
      {
        unset: "text",
      },
    ),
  },
  example: "fixpoint lint specs/my-feature/tasks.md",
  async run({ words: [given], given: { cwd, all = false, fix = false, format = "text" }, surroundings, print }) {
    const { folder } = surroundings;
    const place = resolve(folder, cwd ?? ".");
    const file = await findPlan(given, folder, place);
    const config = await readConfig([dirname(file.path), place]);
    const read = readLinted(file.path);
    const { text, fixed } = fix ? fixPlan(read.text) : { text: read.text, fixed: [] };
    if (fixed.length > 0) rewritePlan(file.path, read.text, text);
    const plan = fixed.length > 0 ? readPlan(text) : read.plan;
    // Reading this property installs the signal handlers, before commands start. Until then, an interrupt ends the
    // process.
    const { signal } = surroundings;
    const problems = await findProblems({ plan, text, config, cwd, folder }, signal);
    if (signal.aborted) return exitCodes.interrupted;
    const report = reportOn(problems, { plan, text });
    const errors = problems.filter(({ severity }) => severity === "error").length;
    const warnings = report.problems.length - errors;
    // Programs that read the report resolve paths from the folder of the call.
    const path = relative(folder, file.path).replaceAll("\\", "/");
    if (format === "sarif") surroundings.terminal.out(`${renderJson(sarifOf(path, report))}\n`);
    else if (format === "github") surroundings.terminal.out(renderGithub(path, report));
    else {
      const mended = fixed.map(({ line, rule }) => `fixed line ${line} ${rule}\n`).join("");
      print(
        { file: file.path, errors, warnings, ...report, ...(fix && { fixed }) },
        () => mended + renderReport(file.name, report, all),
      );
    }
    return errors === 0 ? 0 : 1;
  },
});

interface PlanFile {
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
    throw new InputError(`Cannot read \`${path}\`, expected a readable file`, {
      code: "plan-unreadable",
      cause,
    });
  }
}

interface ProblemSources {
  readonly plan: Plan;
  readonly text: string;
  /** Config file, which may set the severity of rules and the workspace. */
  readonly config: Config | null;
  readonly cwd: string | undefined;
  readonly folder: string;
}

/**
 * Find every problem of a plan, sorted by line, including commands that cannot work in the workspace.
 *
 * @throws {EnvironmentError} `command-not-started` when the workspace does not exist.
 */
export async function findProblems(
  { plan, text, config, cwd, folder }: ProblemSources,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const stated = lintPlan(plan, { text });
  const found = await checkVerify(plan.tasks, chooseWorkspace(cwd, config, folder), signal);
  return applySeverities([...stated, ...found], config?.settings.lint ?? {}).sort((a, b) => a.line - b.line);
}
