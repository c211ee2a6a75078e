import { resolve } from "node:path";
import { commandLine } from "../../../model/command-line.ts";
import { countOf } from "../../../model/count-of.ts";
import { exitCodes } from "../../../model/event.ts";
import { lookAhead } from "../../node/consent/ask-first.ts";
import { messageIn, senderOf } from "../../node/consent/own-gate.ts";
import { programIn } from "../../node/find-spec.ts";
import { findSpecs } from "../../node/find-specs.ts";
import type { RunOptions } from "../../node/run-options.ts";
import { runSpec } from "../../node/run-spec.ts";
import type { OptionValues } from "../cli-command.ts";
import { readTelemetry } from "../options/run-flags.ts";
import { typedOptions } from "../options/typed-options.ts";
import { readSaid } from "../prepare-run.ts";
import { renderError } from "../render-error.ts";
import { renderJson } from "../render-json.ts";
import { plainReporter } from "../reporters/plain-reporter.ts";
import { jsonReporter } from "../reporters/reporter.ts";
import type { Surroundings, Terminal } from "../terminal.ts";
import type { SaidOfAll } from "./all-flags.ts";
import { askAll } from "./ask-all.ts";
import { type FoundRun, gatherRuns, withAdvice } from "./found-run.ts";
import { heedStops } from "./heed-stops.ts";
import { inLanes } from "./in-lanes.ts";
import { prefixLines } from "./prefix-lines.ts";
import { exitCodeOf, renderAll, summaryOf } from "./render-all.ts";

/**
 * Run every spec below a folder, those of one workspace one after the other. None of them stops the others.
 *
 * @returns The exit code of all of them together.
 * @throws {InputError} `specs-missing`, `consent-missing`, `telemetry-missing`, `telemetry-unregistered`, and all that
 *   reading options throws
 */
export async function performAll(
  { folder: typed, jobs }: SaidOfAll,
  values: OptionValues,
  { terminal, folder, signal, heedStop }: Surroundings,
): Promise<number> {
  const said = readSaid(values);
  const asked = readTelemetry(values);
  const telemetry = asked && (await import("../load-telemetry.ts")).loadTelemetry(asked, folder);
  const more = telemetry === null ? {} : { telemetry: telemetry.options };
  const top = resolve(folder, typed);
  const isJson = said.given.reporter === "json";
  const told = { terminal, folder, isJson, values };
  const goOn = lineAgain(values, said.given.cwd);
  const interrupted = (): void => terminal.err(`Interrupted. Go on: ${goOn()}\n`);
  const runs = await gatherRuns(findSpecs(top), { top, folder, said, values });
  try {
    const agreed = await askAll(runs, isJson ? withoutAsk(terminal) : terminal, goOn("--yes"));
    const ready = runs.filter(({ end }) => end === null);
    const lanes = new Set(ready.map(({ lane }) => lane)).size;
    if (!isJson) terminal.out(tellBegin(runs.length, Math.min(jobs, lanes)));
    for (const run of runs) tellError(run, terminal);
    const stops = heedStops(signal, heedStop);
    await inLanes(
      ready,
      ({ lane }) => lane,
      jobs,
      async (run) => {
        if (signal.aborted) return;
        const accept = agreed.get(run);
        const stop = stops.begin(run);
        await runOne(run, told, { ...more, signal: stop.signal, ...(accept !== undefined && { accept }) });
        stop.end();
      },
    );
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    interrupted();
    return exitCodes.interrupted;
  } finally {
    await telemetry?.flush(terminal.err);
  }
  const specs = runs.map(summaryOf);
  const exitCode = exitCodeOf(specs);
  terminal.out(isJson ? `${renderJson({ type: "all.ended", exitCode, specs })}\n` : renderAll(specs));
  if (signal.aborted) interrupted();
  return exitCode;
}

/** Standard output belongs to the JSON lines, so there is no place to ask. */
const withoutAsk = ({ ask: _, ...terminal }: Terminal): Terminal => terminal;

/** The line of this very call, with more options. */
const lineAgain =
  (values: OptionValues, cwd: string | undefined) =>
  (...more: readonly string[]): string => {
    const many = ["all", "jobs"].flatMap((name) =>
      typeof values[name] === "string" ? [`--${name}`, values[name]] : [],
    );
    const typed = typedOptions(values).filter((word) => !more.includes(word));
    const address = { program: programIn(), spec: "", cwd: cwd ?? null, path: "" };
    return commandLine(address, "run", { options: [...many, ...typed, ...more] });
  };

interface Told {
  readonly terminal: Terminal;
  /** The current folder. */
  readonly folder: string;
  readonly isJson: boolean;
  readonly values: OptionValues;
}

/** Run one of them to its end, whatever that is. Nobody is asked anything: what is to be asked was asked before. */
async function runOne(
  run: FoundRun,
  { terminal, folder, isJson, values }: Told,
  more: Pick<RunOptions, "accept" | "signal" | "telemetry">,
): Promise<void> {
  const { prepared, label, spec } = run;
  if (prepared === null || spec === null) return;
  const lines = prefixLines(terminal, label);
  const reporter = isJson ? jsonReporter(terminal, label) : plainReporter(lines, prepared.tasks, folder);
  try {
    const isShort = !isJson && (await lookAhead(prepared.options)).isComplete;
    if (!isShort) for (const notice of prepared.notices) lines.err(`${notice}\n`);
    const ended = await runSpec({
      ...prepared.options,
      ...more,
      speaker: senderOf(spec, messageIn(prepared.options)),
      onEvent: (event) => {
        if (event.type === "run.started") prepared.keep();
        // What was done before is told in a line.
        if (!isShort || event.type === "notice") reporter.event(event);
      },
    });
    run.end = { ended };
  } catch (error) {
    run.end = { error: withAdvice(error, run.address, values) };
    tellError(run, terminal);
  } finally {
    reporter.close();
  }
}

function tellError({ label, end }: FoundRun, terminal: Terminal): void {
  if (end === null || !("error" in end)) return;
  const lines = prefixLines(terminal, label);
  lines.err(renderError(end.error, lines.columns).text);
}

const tellBegin = (specs: number, sideBySide: number): string =>
  `Running ${countOf(specs, "spec", "specs")}${sideBySide > 1 ? `, up to ${sideBySide} side by side` : ""}\n`;
