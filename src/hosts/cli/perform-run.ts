import { resolve } from "node:path";
import { commandLine, type SpecAddress } from "../../model/command-line.ts";
import { EnvironmentError, InputError } from "../../model/errors.ts";
import { exitCodes } from "../../model/event.ts";
import { PersonDecision, type Speaker } from "../../model/person-event.ts";
import type { Task } from "../../model/task.ts";
import { escapeText } from "../../wording/escape-text.ts";
import { renderReceipt } from "../../wording/render-receipt.ts";
import { messageIn, senderOf } from "../node/consent/own-gate.ts";
import { findSpec, type SpecFolder } from "../node/find-spec.ts";
import { standInFor } from "../node/hand-out/hand-out.ts";
import { willBePaused } from "../node/message-run.ts";
import { readStatus } from "../node/reading/read-status.ts";
import { runSpec } from "../node/run-spec.ts";
import { sendToRun } from "../node/send-message.ts";
import { callAddress } from "./call-address.ts";
import type { OptionValues, Surroundings, Terminal } from "./cli-command.ts";
import { readAnswer, readRunFlags } from "./options/run-flags.ts";
import type { ReporterName } from "./options/settings.ts";
import { personAt } from "./person-at.ts";
import { prepareRun } from "./prepare-run.ts";
import { plainReporter } from "./reporters/plain-reporter.ts";
import { jsonReporter, type Reporter } from "./reporters/reporter.ts";
import { treeReporter } from "./reporters/tree-reporter.ts";

/**
 * Run a spec with the settings of the command line and the config file, and report it on the terminal.
 *
 * @param how `resume`: an earlier run must exist. If the process of the earlier run is alive and paused, that process
 * continues the run. `number`: the pull request of the run.
 * @returns The exit code of the outcome.
 * @throws {InputError} `no-executor`, `nothing-to-decide`, `telemetry-missing`, `telemetry-unregistered`, and the
 * errors of reading options, config and spec
 * @throws {EnvironmentError} `spec-locked`, and the errors of `runSpec`
 */
export async function performRun(
  spec: string | undefined,
  values: OptionValues,
  surroundings: Surroundings,
  { resume = false, number }: { readonly resume?: boolean; readonly number?: number } = {},
): Promise<number> {
  const { terminal, folder } = surroundings;
  const said = readRunFlags(values);
  if (number !== undefined) said.policy.pullRequest = { ...said.policy.pullRequest, number };
  const telemetry = said.telemetry ? (await import("./load-telemetry.ts")).loadTelemetry(said, folder) : null;
  const found = findSpec(spec, resolve(folder, said.cwd ?? "."), resume ? "resume" : "run");
  const answer = resume ? answerTo(found, values, folder) : {};
  const speaker = senderOf(found, messageIn({ resume, ...answer, ...said }));
  const address = callAddress(found, values, folder);
  if (resume && (await wakeRun(found, speaker, { values, address }, surroundings))) return 0;
  if (answer.guidance !== undefined && readStatus(found.folder).outcome === "limit") {
    terminal.err(
      `notice: ${escapeText(found.name)} stopped at a limit: the guidance has no effect until you raise the limit or change the plan\n`,
    );
  }
  const run = await prepareRun(found, said, { folder, address, standIn: standInFor(found, folder) });
  for (const line of run.notices) terminal.err(`${line}\n`);
  const inspector = said.inspect ? await (await import("./inspector/serve-inspector.ts")).serveInspector() : null;
  if (inspector !== null) {
    terminal.err(`Inspector: open ${inspector.page}\n`);
    terminal.err("  It shows the run in the viewer of stately.ai, in your browser; the viewer needs internet access\n");
    terminal.err(
      `  For a viewer of your own: npm install @statelyai/inspect, then createWebSocketReceiver({ server: "${inspector.address}" })\n`,
    );
  }
  // Serve the page next to the inspector, too: unlike the inspector, the page needs no internet access.
  const page =
    said.watch || inspector !== null
      ? await (await import("../node/watch/run-room.ts")).serveRun(found, { by: speaker, address })
      : null;
  if (page !== null) {
    const chart = inspector === null ? "" : ', and there "Machines"';
    terminal.err(`Watch: open file://${page.path}${chart}\n`);
  }
  const reporter = chooseReporter(run.reporter, terminal, run.tasks, folder);
  // Reading this property installs the signal handlers: from here on, an interrupt must not end the process at once.
  const { signal } = surroundings;
  // With the JSON reporter no one can be asked: standard output has only JSON lines.
  const person = run.reporter === "json" ? undefined : personAt(terminal, () => reporter.hold());
  try {
    const ended = await runSpec({
      ...run.options,
      signal,
      onEvent: (event) => {
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
    terminal.err(`Interrupted. Continue: ${commandLine(address, "run")}\n`);
    return exitCodes.interrupted;
  } finally {
    reporter.close();
    await inspector?.close();
    await page?.close();
    await telemetry?.flush(terminal.err);
  }
}

/** Read the answer, and after an unknown decision list the answers that the open question offers. */
function answerTo(found: SpecFolder, values: OptionValues, folder: string): ReturnType<typeof readAnswer> {
  const { decision, guidance } = values;
  const isKnown = guidance !== undefined || decision === undefined || PersonDecision.safeParse(decision).success;
  const { question } = isKnown
    ? { question: null }
    : readStatus(found.folder, { address: callAddress(found, {}, folder) });
  const offered = [...(question?.hint ?? "").matchAll(/--decision (\S+)/g)].map(([, word]) => word);
  if (question === null || offered.length === 0) return readAnswer(values);
  throw new InputError(`Cannot use --decision \`${decision}\`, expected one of ${offered.join(", ")}`, {
    code: "bad-option",
    ...(question.hint !== null && { hint: question.hint }),
  });
}

/**
 * Resume a paused run in its own process.
 *
 * @returns Whether a paused run was resumed; if not, a new start is needed.
 * @throws {EnvironmentError} `spec-locked` when the run is not paused, or the call has other options or an answer;
 * `file-refused`, `user-folder-unusable`
 */
export async function wakeRun(
  spec: SpecFolder,
  by: Speaker,
  { values, address }: { readonly values: OptionValues; readonly address: SpecAddress },
  { terminal, signal }: Pick<Surroundings, "terminal" | "signal">,
): Promise<boolean> {
  const { running } = readStatus(spec.folder);
  if (running === null) return false;
  const paused = willBePaused(spec);
  const { pid } = running;
  const { guidance, decision, task: named, cwd: _, ...more } = values;
  if (guidance !== undefined || decision !== undefined) {
    const word = guidance === undefined ? String(decision) : ["guidance", String(guidance)];
    const options = named === undefined ? [] : ["--task", String(named)];
    throw locked(pid, `Send the answer to the run at work: ${commandLine(address, "say", { task: word, options })}`);
  }
  if (Object.values(more).some((word) => word !== undefined)) {
    if (!paused) return false;
    throw locked(
      pid,
      `Resume the run unchanged: ${commandLine(address, "resume")}\nOr end the run first: ${commandLine(address, "stop")}`,
    );
  }
  if (!paused) {
    throw new EnvironmentError(`Cannot resume \`${spec.name}\`: coordinator ${pid} is not paused`, {
      code: "spec-locked",
      hint: `See the state of the run: ${commandLine(address, "status")}`,
    });
  }
  const said = await sendToRun(spec, { word: "resume" }, { by, address, signal });
  terminal.out(`${escapeText(renderReceipt(said, address))}\n`);
  return true;
}

const locked = (pid: number, hint: string): EnvironmentError =>
  new EnvironmentError(`Cannot take the spec: process ${pid} holds it`, { code: "spec-locked", hint });

/**
 * Choose the reporter. A tree needs a terminal; without a terminal, lines are printed.
 *
 * @param folder Folder to which displayed paths are relative.
 */
export function chooseReporter(
  name: ReporterName | undefined,
  terminal: Terminal,
  tasks: readonly Task[],
  folder: string,
): Reporter {
  if (name === "json") return jsonReporter(terminal);
  if (name === "plain" || !terminal.isTTY) return plainReporter(terminal, tasks, folder);
  return treeReporter(terminal, tasks, folder);
}
