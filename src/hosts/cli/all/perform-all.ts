import { resolve } from "node:path";
import { commandLine } from "../../../model/command-line.ts";
import { exitCodes } from "../../../model/event.ts";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { lookAhead } from "../../node/consent/ask-first.ts";
import { messageIn, senderOf } from "../../node/consent/own-gate.ts";
import { programIn } from "../../node/find-spec.ts";
import { findSpecs } from "../../node/find-specs.ts";
import { isStopAsked } from "../../node/message-run.ts";
import type { RunOptions } from "../../node/run-options.ts";
import { runSpec } from "../../node/run-spec.ts";
import { type OptionValues, renderJson, type Surroundings, type Terminal } from "../cli-command.ts";
import { readRunFlags, type SaidOfAll, typedOptions } from "../options/run-flags.ts";
import { renderError } from "../render-error.ts";
import { plainReporter } from "../reporters/plain-reporter.ts";
import { jsonReporter } from "../reporters/reporter.ts";
import { askAll, exitCodeOf, type FoundRun, gatherRuns, renderAll, summaryOf, withAdvice } from "./found-run.ts";

/**
 * Run every spec below a folder. Specs of one workspace run one after the other; a spec that fails does not stop the
 * others.
 *
 * @returns The combined exit code.
 * @throws {InputError} `specs-missing`, `consent-missing`, `telemetry-missing`, `telemetry-unregistered`, and the
 * errors of reading options
 */
export async function performAll(
  { folder: typed, jobs }: SaidOfAll,
  values: OptionValues,
  { terminal, folder, signal, heedStop }: Surroundings,
): Promise<number> {
  const said = readRunFlags(values);
  const telemetry = said.telemetry ? (await import("../load-telemetry.ts")).loadTelemetry(said, folder) : null;
  const more = telemetry === null ? {} : { telemetry: telemetry.options };
  const top = resolve(folder, typed);
  const isJson = said.reporter === "json";
  const told = { terminal, folder, isJson, values };
  const goOn = lineAgain(values, said.cwd);
  const interrupted = (): void => terminal.err(`Interrupted. Continue: ${goOn()}\n`);
  const runs = await gatherRuns(findSpecs(top), { top, folder, said, values });
  try {
    const agreed = await askAll(runs, isJson ? withoutAsk(terminal) : terminal, goOn("--yes"));
    const ready = runs.filter(({ end }) => end === null);
    const lanes = new Set(ready.map(({ lane }) => lane)).size;
    if (!isJson) terminal.out(renderBegin(runs.length, Math.min(jobs, lanes)));
    for (const run of runs) describeError(run, terminal);
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

/** Remove `ask`: a question must not appear among the JSON lines on standard output. */
const withoutAsk = ({ ask: _, ...terminal }: Terminal): Terminal => terminal;

/** Return a function that renders this call as a command line, with options added. */
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
  readonly folder: string;
  readonly isJson: boolean;
  readonly values: OptionValues;
}

/** Run one spec to its end, and record the outcome or the error. Asks nothing: `askAll` has already asked. */
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
        // A complete run shows only its notices.
        if (!isShort || event.type === "notice") reporter.event(event);
      },
    });
    run.end = { ended };
  } catch (error) {
    run.end = { error: withAdvice(error, run.address, values) };
    describeError(run, terminal);
  } finally {
    reporter.close();
  }
}

function describeError({ label, end }: FoundRun, terminal: Terminal): void {
  if (end === null || !("error" in end)) return;
  const lines = prefixLines(terminal, label);
  lines.err(renderError(end.error, lines.columns).text);
}

const renderBegin = (specs: number, sideBySide: number): string =>
  `Running ${countOf(specs, "spec", "specs")}${sideBySide > 1 ? `, up to ${sideBySide} side by side` : ""}\n`;

interface RunStop {
  readonly signal: AbortSignal;
  /** Must be called when the run has ended. */
  end(): void;
}

/**
 * Abort every run on an interrupt, and a single run on `fixpoint stop`, which leaves a note for the run before it sends
 * SIGTERM to this process.
 */
export function heedStops(signal: AbortSignal, heedStop: Surroundings["heedStop"]): { begin(run: FoundRun): RunStop } {
  const atWork = new Map<FoundRun, AbortController>();
  signal.addEventListener("abort", () => {
    for (const stop of atWork.values()) stop.abort(signal.reason);
  });
  heedStop?.(() => {
    const meant = [...atWork].filter(([run, stop]) => !stop.signal.aborted && isMeant(run));
    for (const [, stop] of meant) stop.abort();
    return meant.length > 0;
  });
  return {
    begin: (run) => {
      const stop = new AbortController();
      atWork.set(run, stop);
      return { signal: stop.signal, end: () => void atWork.delete(run) };
    },
  };
}

function isMeant({ spec }: FoundRun): boolean {
  try {
    return spec !== null && isStopAsked(spec);
  } catch {
    return false;
  }
}

/**
 * Process all pieces: the pieces of a lane one after the other, the lanes in parallel.
 *
 * @param most Maximum number of lanes at a time; at least 1.
 */
export async function inLanes<Piece>(
  pieces: readonly Piece[],
  laneOf: (piece: Piece) => string,
  most: number,
  act: (piece: Piece) => Promise<void>,
): Promise<void> {
  const byName = new Map<string, Piece[]>();
  for (const piece of pieces) byName.set(laneOf(piece), [...(byName.get(laneOf(piece)) ?? []), piece]);
  const lanes = [...byName.values()];
  const takeLanes = async (): Promise<void> => {
    for (let lane = lanes.shift(); lane !== undefined; lane = lanes.shift()) {
      for (const piece of lane) await act(piece);
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, lanes.length) }, takeLanes));
}

/** Wrap a terminal so that each line starts with a name, to distinguish the lines of several runs. */
export function prefixLines(terminal: Terminal, name: string): Terminal {
  const prefix = `${escapeText(name)} | `;
  const lines = (text: string): string =>
    text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => `${prefix}${line}\n`)
      .join("");
  return {
    ...terminal,
    isTTY: false,
    columns: Math.max(1, terminal.columns - prefix.length),
    out: (text) => terminal.out(lines(text)),
    err: (text) => terminal.err(lines(text)),
  };
}
