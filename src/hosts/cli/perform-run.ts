import { resolve } from "node:path";
import { commandLine } from "../../model/command-line.ts";
import { exitCodes } from "../../model/event.ts";
import { escapeText } from "../../wording/escape-text.ts";
import { messageIn, senderOf } from "../node/consent/own-gate.ts";
import { findSpec } from "../node/find-spec.ts";
import { readStatus } from "../node/reading/read-status.ts";
import { runSpec } from "../node/run-spec.ts";
import { callAddress } from "./call-address.ts";
import type { OptionValues } from "./cli-command.ts";
import { type ResumeAnswer, readResumeFlags } from "./options/resume-flags.ts";
import { readInspect, readTelemetry } from "./options/run-flags.ts";
import { personAt } from "./person-at.ts";
import { prepareRun, readSaid } from "./prepare-run.ts";
import { chooseReporter } from "./reporters/choose-reporter.ts";
import type { Surroundings } from "./terminal.ts";
import { wakeRun } from "./wake-run.ts";

/**
 * Run a spec as the command line and the config file say, and report it on the terminal.
 *
 * @param how `resume`: an earlier run must exist; one that is only paused goes on where it runs. `number`: of the pull
 *   request that it is about.
 * @returns The exit code of the outcome.
 * @throws {InputError} `no-executor`, `nothing-to-decide`, `telemetry-missing`, `telemetry-unregistered`, and all that reading options, config and spec throws
 * @throws {EnvironmentError} `spec-locked`, and all that `runSpec` throws
 */
export async function performRun(
  spec: string | undefined,
  values: OptionValues,
  surroundings: Surroundings,
  { resume = false, number }: { readonly resume?: boolean; readonly number?: number } = {},
): Promise<number> {
  const { terminal, folder } = surroundings;
  const said = readSaid(values);
  if (number !== undefined) said.given.policy.pullRequest = { ...said.given.policy.pullRequest, number };
  const isInspected = readInspect(values);
  const told = readTelemetry(values);
  const telemetry = told && (await import("./load-telemetry.ts")).loadTelemetry(told, folder);
  const answer: ResumeAnswer = resume ? readResumeFlags(values) : {};
  const found = findSpec(spec, resolve(folder, said.given.cwd ?? "."), resume ? "resume" : "run");
  const speaker = senderOf(found, messageIn({ resume, ...answer, ...said.options }));
  const address = callAddress(found, values, folder);
  if (resume && (await wakeRun(found, speaker, { values, address }, surroundings))) return 0;
  if (answer.guidance !== undefined && readStatus(found.folder).outcome === "limit") {
    terminal.err(
      `notice: ${escapeText(found.name)} stopped at a limit: the guidance has no effect until you raise the limit or change the plan\n`,
    );
  }
  const run = await prepareRun(found, said, { folder, address });
  for (const line of run.notices) terminal.err(`${line}\n`);
  const inspector = isInspected ? await (await import("./inspector/serve-inspector.ts")).serveInspector() : null;
  if (inspector !== null) terminal.err(`Inspector: ${inspector.address}\n`);
  const page =
    values["watch"] === true
      ? await (await import("../node/watch/serve-run.ts")).serveRun(found, { by: speaker, address })
      : null;
  if (page !== null) terminal.err(`Watch: open file://${page.path}\n`);
  const reporter = chooseReporter(run.reporter, terminal, run.tasks, folder);
  // Asked for when something may begin that is not to be broken off.
  const { signal } = surroundings;
  // Standard output belongs to the JSON lines, so there is no place to ask.
  const person = run.reporter === "json" ? undefined : personAt(terminal, () => reporter.hold());
  try {
    const ended = await runSpec({
      ...run.options,
      signal,
      onEvent: (event) => {
        // Whoever begins, or is asked first, is who does it from now on.
        if (event.type === "run.started") run.keep();
        reporter.event(event);
      },
      ...(inspector !== null && { inspect: inspector.inspect }),
      ...(telemetry !== null && { telemetry: telemetry.options }),
      ...(resume && { resume }),
      ...answer,
      speaker,
      ...(person && { confirm: person.confirm, decide: person.decide }),
    });
    return ended.exitCode;
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    terminal.err(`Interrupted. Go on: ${commandLine(address, "run")}\n`);
    return exitCodes.interrupted;
  } finally {
    reporter.close();
    await inspector?.close();
    await page?.close();
    await telemetry?.flush(terminal.err);
  }
}
