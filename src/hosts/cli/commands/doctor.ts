import { resolve } from "node:path";
import { reportOn } from "../../../markdown/lint-plan.ts";
import { commandLine, type SpecAddress, sameAgain } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import { interpreted } from "../../../model/parse-json.ts";
import { Policy } from "../../../model/policy.ts";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { checkConsent, checkFirstVerify } from "../../node/doctor/check-first-start.ts";
import { checkFolders, checkPrograms, checkRepository } from "../../node/doctor/check-folders.ts";
import { checkChoice, checkKnownTools, type Finding, findingOf, ok } from "../../node/doctor/check-tools.ts";
import { findSpec, type SpecFolder } from "../../node/find-spec.ts";
import { readPlanFile } from "../../node/reading/read-plan-file.ts";
import { checkFresh } from "../../node/start/check-fresh.ts";
import { announceProjectCheck } from "../../node/start/find-project-check.ts";
import { checkWorktrees } from "../../node/start/open-worktrees.ts";
import { callAddress } from "../call-address.ts";
import { type CliCommand, renderJson } from "../cli-command.ts";
import { json } from "../command.ts";
import { type Config, readConfig } from "../options/config.ts";
import { recallExecutors } from "../options/executor-memory.ts";
import { argsIn, chooseWorkspace, mergeSettings, type RunSettings } from "../options/merge-settings.ts";
import { flagsOf } from "../options/read-flag.ts";
import { readRunFlags, runFlags } from "../options/run-flags.ts";
import type { Settings } from "../options/settings.ts";
import { prepareRun } from "../prepare-run.ts";
import { findProblems } from "./lint.ts";
import { renderTotals } from "./lint-report.ts";

const who = ["--executor", "--exec", "--executor-args", "--permissions", "--pass-env", "--cwd"];

export const doctor: CliCommand = {
  options: [...flagsOf(json), ...runFlags.filter(({ flags }) => who.includes(flags.split(" ")[0] ?? ""))],
  example: "fixpoint doctor my-feature --executor claude",
  async run({ words: [given], values, surroundings }) {
    const { terminal, folder } = surroundings;
    const flags = readRunFlags(values);
    const spec = given === undefined ? null : findSpec(given, resolve(folder, flags.cwd ?? "."));
    // Reading this property installs the signal handlers, which the checks need to stop the programs that they start.
    const { signal } = surroundings;
    const findings = await examine({ spec, given: flags, folder, address: callAddress(spec, values, folder) }, signal);
    if (signal.aborted) return exitCodes.interrupted;
    const errors = findings.filter(({ level }) => level === "error").length;
    const warnings = findings.filter(({ level }) => level === "warning").length;
    if (values["json"] === true) terminal.out(`${renderJson({ errors, warnings, findings })}\n`);
    else {
      for (const finding of findings) terminal.out(renderFinding(finding));
      terminal.out(`${renderTotals(errors, warnings)}\n`);
    }
    return errors === 0 ? 0 : 1;
  },
};

const indent = " ".repeat("warning  ".length);

export const renderFinding = ({ level, what, remedy }: Finding): string =>
  `${level.padEnd(indent.length)}${escapeText(what)}\n${(remedy?.split("\n") ?? []).map((line) => `${indent}${escapeText(line)}\n`).join("")}`;

export interface Examined {
  readonly spec: SpecFolder | null;
  readonly given: Settings;
  readonly folder: string;
  readonly address: SpecAddress;
}

/** Check everything that a run needs, in the order in which a person would set it up. */
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
  let isReadable = false;
  if (spec !== null) {
    const plan = await attempt("plan", () => examinePlan(spec, { config, cwd: given.cwd, folder, address }, signal));
    if (plan !== null) findings.push(plan);
    isReadable = plan !== null && plan.level !== "error";
  }
  // Use the remembered executor, as a run would.
  const remembered = spec === null ? given : await recall(given, spec, workspace);
  const settings = settingsOf(remembered, config, folder, address);
  const policy = Policy.parse({ ...config?.settings.policy, ...given.policy }, interpreted);
  const { permissions } = policy;
  if (spec !== null && isReadable) {
    const place = { spec, workspace, policy, address };
    const verify = await attempt("verify", () => checkFirstVerify(readPlanFile(spec.tasksPath).plan, place, signal));
    if (verify !== null) findings.push(verify);
    const { tasks } = readPlanFile(spec.tasksPath).plan;
    const project = announceProjectCheck(tasks, policy, { workspace, folder: spec.folder, address });
    if (project !== null) findings.push(ok("verify", project));
  }
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
  await attempt("git", async () => {
    checkFresh(workspace, policy);
    await checkWorktrees(workspace, policy);
  });
  const { rungs = {}, ...roles } = settings.executors;
  for (const choice of Object.values({ ...roles, ...rungs })) {
    findings.push(...(await checkChoice(choice, { workspace, permissions, address: called }, signal)));
  }
  const isSound = findings.every(({ level }) => level !== "error");
  if (spec === null || !isSound) return findings;
  const asked = await attempt("settings", async () => {
    const { options } = await prepareRun(spec, given, { folder, address });
    return await checkConsent(options, address);
  });
  if (asked !== null) findings.push(asked);
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
  const { problems } = reportOn(await findProblems({ plan, text, ...sources }, signal), { plan, text });
  const open = plan.tasks.filter(({ done }) => !done).length;
  const what = `the plan of ${spec.name}: ${open} of ${countOf(plan.tasks.length, "task", "tasks")} open`;
  if (problems.length === 0) return ok("plan", what);
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [countOf(errors, "error", "errors"), countOf(problems.length - errors, "warning", "warnings")];
  return {
    ...{ about: "plan", level: errors > 0 ? "error" : "warning", what: `${what}, ${counts.join(", ")}` },
    remedy: `List the problems by line: ${commandLine(address, "lint")}`,
  };
}

/** Add remembered settings. If the memory cannot be read, the check of the folders reports it. */
async function recall(given: Settings, spec: SpecFolder, workspace: string): Promise<Settings> {
  try {
    return (await recallExecutors(given, spec, workspace)).settings;
  } catch {
    return given;
  }
}

/** Merge the settings as a run would; returns the error if no executor is named. */
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

/** Return a function that runs a check. If the check throws, a finding is recorded, and the result is null. */
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
