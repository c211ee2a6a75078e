import { resolve } from "node:path";
import { commandLine, sameAgain } from "../../model/command-line.ts";
import { exitCodes } from "../../model/event.ts";
import { messageIn, senderOf } from "../node/consent/own-gate.ts";
import { findSpec } from "../node/find-spec.ts";
import { readForeignSettings } from "../node/foreign-settings.ts";
import { readPlanFile } from "../node/reading/read-plan-file.ts";
import type { RunOptions } from "../node/run-options.ts";
import { runSpec } from "../node/run-spec.ts";
import { callAddress } from "./call-address.ts";
import { checkDecision, checkGuidance } from "./check-answer.ts";
import type { OptionValues } from "./cli-command.ts";
import { chooseWorkspace } from "./options/choose-workspace.ts";
import { readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, mergeSettings } from "./options/merge-settings.ts";
import { type ResumeAnswer, readResumeFlags } from "./options/resume-flags.ts";
import { readPauseAfter, readRunFlags } from "./options/run-flags.ts";
import { readKeepRuns } from "./options/shared-flags.ts";
import { personAt } from "./person-at.ts";
import { chooseReporter } from "./reporters/choose-reporter.ts";
import type { Surroundings } from "./terminal.ts";
import { wakeRun } from "./wake-run.ts";

/**
 * Run a spec as the command line and the config file say, and report it on the terminal.
 *
 * @param resume Whether an earlier run must exist; one that is only paused goes on where it runs.
 * @returns The exit code of the outcome.
 * @throws {InputError} `no-executor`, `nothing-to-decide`, and all that reading options, config and spec throws
 * @throws {EnvironmentError} `spec-locked`, and all that `runSpec` throws
 */
export async function performRun(
  spec: string | undefined,
  values: OptionValues,
  surroundings: Surroundings,
  resume: boolean,
): Promise<number> {
  const { terminal, folder } = surroundings;
  const given = readRunFlags(values);
  const keepRuns = readKeepRuns(values);
  const pauseAfter = readPauseAfter(values);
  const answer: ResumeAnswer = resume ? readResumeFlags(values) : {};
  const consent = readConsent(values);
  const workspace = resolve(folder, given.cwd ?? ".");
  const found = findSpec(spec, workspace, resume ? "resume" : "run");
  const speaker = senderOf(found, messageIn({ resume, ...answer, ...consent }));
  const address = callAddress(found, values, folder);
  if (resume && (await wakeRun(found, speaker, { values, address }, surroundings))) return 0;
  if (answer.decision !== undefined) checkDecision(found, answer.decision, address);
  if (answer.guidance !== undefined) checkGuidance(found, terminal, address);
  const config = await readConfig([found.folder, workspace]);
  const place = chooseWorkspace(given.cwd, config, folder);
  const who = recallExecutors(given, found, place);
  const ladder = given.ladder ?? config?.settings.ladder ?? config?.settings.policy.recovery;
  const foreign = await readForeignSettings(found, place, ladder !== undefined);
  const example = sameAgain(address, "--executor", "claude");
  const args = argsIn(who.settings, config);
  const settings = mergeSettings(who.settings, config, folder, foreign, example);
  for (const line of who.notices) terminal.err(`${line}\n`);
  const { tasks } = readPlanFile(found.tasksPath).plan;
  const reporter = chooseReporter(settings.reporter, terminal, tasks, folder);
  // Asked for when something may begin that is not to be broken off.
  const { signal } = surroundings;
  const { executors, cwd, policy, ladder: changes, fromFiles } = settings;
  // Standard output belongs to the JSON lines, so there is no place to ask.
  const person = settings.reporter === "json" ? undefined : personAt(terminal, () => reporter.hold());
  try {
    const ended = await runSpec({
      spec: found.folder,
      workspace: cwd,
      executors,
      policy,
      ladder: changes,
      fromFiles,
      signal,
      onEvent: (event) => {
        // Whoever begins, or is asked first, is who does it from now on.
        if (event.type === "run.started") who.keep();
        reporter.event(event);
      },
      address: { ...address, args },
      ...(resume && { resume }),
      ...answer,
      speaker,
      ...(keepRuns !== undefined && { keepRuns }),
      ...(pauseAfter !== undefined && { pauseAfter }),
      ...(values["takeOver"] === true && { takeOver: true }),
      ...consent,
      ...(person && { confirm: person.confirm }),
      ...(person && { decide: person.decide }),
    });
    return ended.exitCode;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    terminal.err(`Interrupted. Go on: ${commandLine(address, "run")}\n`);
    return exitCodes.interrupted;
  } finally {
    reporter.close();
  }
}

/** What the command line agrees to. */
const readConsent = ({ yes, accept, newRun }: OptionValues): Pick<RunOptions, "yes" | "accept" | "newRun"> => ({
  ...(yes === true && { yes }),
  ...(typeof accept === "string" && { accept }),
  ...(newRun === true && { newRun }),
});
