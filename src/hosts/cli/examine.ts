import { commandLine, type SpecAddress, sameAgain } from "../../model/command-line.ts";
import { countOf } from "../../model/count-of.ts";
import { InputError } from "../../model/errors.ts";
import { interpreted } from "../../model/interpreted.ts";
import { Policy } from "../../model/policy.ts";
import { checkFolders } from "../node/doctor/check-folders.ts";
import { checkPrograms, checkRepository } from "../node/doctor/check-programs.ts";
import { checkChoice, checkKnownTools } from "../node/doctor/check-tools.ts";
import { type Finding, findingOf, ok } from "../node/doctor/finding.ts";
import type { SpecFolder } from "../node/find-spec.ts";
import { readPlanFile } from "../node/reading/read-plan-file.ts";
import { findProblems } from "./find-problems.ts";
import { chooseWorkspace } from "./options/choose-workspace.ts";
import { type Config, readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, mergeSettings, type RunSettings } from "./options/merge-settings.ts";
import type { Settings } from "./options/settings.ts";

/** Where a run would be started, and what it would be told. */
export interface Examined {
  /** Null where none is named. */
  readonly spec: SpecFolder | null;
  /** What the command line says. */
  readonly given: Settings;
  /** The current folder. */
  readonly folder: string;
  /** How the run would be called. */
  readonly address: SpecAddress;
}

/** Everything that a run needs, in the order in which a person would set it up. */
export async function examine(
  { spec, given, folder, address }: Examined,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const place = chooseWorkspace(given.cwd, null, folder);
  const attempt = attempting(findings, address);
  const config = await attempt("settings", () => readConfig(spec === null ? [place] : [spec.folder, place]));
  const workspace = chooseWorkspace(given.cwd, config, folder);
  findings.push(...(await checkPrograms(workspace, signal)));
  findings.push(...checkFolders(spec?.folder ?? workspace, spec?.dataFolder ?? null, { workspace, address }));
  if (spec !== null) {
    const plan = await attempt("plan", () => examinePlan(spec, { config, cwd: given.cwd, folder, address }, signal));
    if (plan !== null) findings.push(plan);
  }
  // As a run would: who did the tasks before does them again.
  const remembered = spec === null ? given : await recall(given, spec, workspace);
  const settings = settingsOf(remembered, config, folder, address);
  const { permissions } = Policy.parse({ ...config?.settings.policy, ...given.policy }, interpreted);
  const called = { ...address, args: argsIn(remembered, config) };
  if (settings instanceof InputError) {
    findings.push(...(await checkKnownTools({ workspace, permissions, address }, signal)));
    if (spec === null) return findings;
    const [what, remedy] = [`no executor is named for ${spec.name}`, settings.hint ?? null];
    return [...findings, { about: "settings", level: "warning", what, remedy }];
  }
  const { commit, requireCommit } = settings.policy;
  if (spec !== null && (commit || requireCommit)) {
    const asked = { commit: Boolean(commit), isKept: requireCommit === true };
    await attempt("git", () => checkRepository(workspace, spec, asked));
  }
  const { rungs = {}, ...roles } = settings.executors;
  for (const choice of Object.values({ ...roles, ...rungs })) {
    findings.push(...(await checkChoice(choice, { workspace, permissions, address: called }, signal)));
  }
  return findings;
}

async function examinePlan(
  spec: SpecFolder,
  {
    address,
    ...sources
  }: Pick<Parameters<typeof findProblems>[0], "config" | "cwd" | "folder"> & Pick<Examined, "address">,
  signal: AbortSignal,
): Promise<Finding> {
  const { plan, text } = readPlanFile(spec.tasksPath);
  const problems = await findProblems({ plan, text, ...sources }, signal);
  const open = plan.tasks.filter(({ done }) => !done).length;
  const what = `the plan of ${spec.name}: ${open} of ${countOf(plan.tasks.length, "task", "tasks")} open`;
  if (problems.length === 0) return ok("plan", what);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [countOf(errors, "error", "errors"), countOf(problems.length - errors, "warning", "warnings")];
  return {
    ...{ about: "plan", level: errors > 0 ? "error" : "warning", what: `${what}, ${counts.join(", ")}` },
    remedy: `Each with its line: ${commandLine(address, "lint")}`,
  };
}

/** What the command line says, and said before. That nothing can be remembered here is found among the folders. */
async function recall(given: Settings, spec: SpecFolder, workspace: string): Promise<Settings> {
  try {
    return (await recallExecutors(given, spec, workspace)).settings;
  } catch {
    return given;
  }
}

/** What a run would be told; the error where nobody would do the tasks. */
function settingsOf(
  given: Settings,
  config: Config | null,
  folder: string,
  address: SpecAddress,
): RunSettings | InputError {
  try {
    return mergeSettings(given, config, folder, undefined, { example: sameAgain(address, "--executor", "claude") });
  } catch (error) {
    if (error instanceof InputError && error.code === "no-executor") return error;
    throw error;
  }
}

/** What would be refused at a start is found, and null. */
function attempting(findings: Finding[], address: SpecAddress) {
  return async <Result>(about: Finding["about"], act: () => Result | Promise<Result>): Promise<Result | null> => {
    try {
      return await act();
    } catch (error) {
      findings.push(findingOf(about, error, address));
      return null;
    }
  };
}
