import { applySeverities } from "../../markdown/lint/apply-severities.ts";
import { lintPlan } from "../../markdown/lint-plan.ts";
import type { Plan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { checkVerify } from "../node/doctor/check-verify.ts";
import { chooseWorkspace } from "./options/choose-workspace.ts";
import type { Config } from "./options/config.ts";

interface ProblemSources {
  readonly plan: Plan;
  /** The document that the plan was read from. */
  readonly text: string;
  /** Says how much each rule weighs, and may name the workspace. */
  readonly config: Config | null;
  /** Workspace on the command line. */
  readonly cwd: string | undefined;
  /** The current folder. */
  readonly folder: string;
}

/**
 * Every problem of a plan in the order of its lines: of what is written, and of commands that cannot work here.
 *
 * @throws {EnvironmentError} `command-not-started` when the workspace is not there.
 */
export async function findProblems(
  { plan, text, config, cwd, folder }: ProblemSources,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  const stated = lintPlan(plan, { text });
  const found = await checkVerify(plan.tasks, chooseWorkspace(cwd, config, folder), signal);
  return applySeverities([...stated, ...found], config?.settings.lint ?? {}).sort((a, b) => a.line - b.line);
}
