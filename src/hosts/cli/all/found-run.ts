import { relative, resolve } from "node:path";
import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import { exitCodes, type RunEnded } from "../../../model/event.ts";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderMissing } from "../../node/consent/agree.ts";
import { type FirstQuestion, lookAhead } from "../../node/consent/ask-first.ts";
import { findSpec, type SpecFolder } from "../../node/find-spec.ts";
import { namesOf, treeOf, workspaceFor } from "../../node/find-specs.ts";
import { readStatus } from "../../node/reading/read-status.ts";
import { callAddress } from "../call-address.ts";
import type { OptionValues, Terminal } from "../cli-command.ts";
import { typedOptions } from "../options/run-flags.ts";
import type { Settings } from "../options/settings.ts";
import { askPerson } from "../person-at.ts";
import { type PreparedRun, prepareRun } from "../prepare-run.ts";
import { renderError } from "../render-error.ts";

type EndOfOne = { readonly ended: RunEnded } | { readonly error: unknown };

export interface FoundRun {
  /** Label of the run in the output: the name of the spec, or its path if another spec has the same name. */
  readonly label: string;
  readonly spec: SpecFolder | null;
  readonly address: SpecAddress;
  readonly prepared: PreparedRun | null;
  /** Runs in the same lane run one after the other. */
  readonly lane: string;
  /** Null until the run has ended; stays null if it was never begun. */
  end: EndOfOne | null;
}

interface Search {
  /** The folder that contains the specs, absolute. */
  readonly top: string;
  readonly folder: string;
  readonly said: Settings;
  readonly values: OptionValues;
}

/** Prepare a run for each spec. An error of one spec becomes the end of its run; other runs are not affected. */
export const gatherRuns = async (specs: readonly string[], search: Search): Promise<FoundRun[]> => {
  const labels = namesOf(specs, search.top);
  return await Promise.all(specs.map((spec, at) => gatherRun(spec, labels[at] ?? spec, search)));
};

async function gatherRun(folder: string, label: string, search: Search): Promise<FoundRun> {
  const { said, values } = search;
  const workspace = resolve(search.folder, said.cwd ?? workspaceFor(folder, search.top));
  const found = { label, lane: workspace, prepared: null, end: null };
  const ofOne: OptionValues = { ...values, all: undefined, jobs: undefined };
  let address = callAddress(null, ofOne, search.folder);
  let spec: SpecFolder | null = null;
  try {
    spec = findSpec(folder, search.folder);
    address = callAddress(spec, { ...ofOne, cwd: shorter(search.folder, workspace) }, search.folder);
    const prepared = await prepareRun(spec, said, { folder: workspace, current: search.folder, address });
    const { workspace: place, shareWorkspace } = prepared.options;
    return { ...found, spec, address, prepared, lane: shareWorkspace === true ? folder : treeOf(place) };
  } catch (error) {
    return { ...found, spec, address, end: { error: withAdvice(error, address, ofOne) } };
  }
}

/** Workspace as the value of `--cwd`; undefined for the current folder. */
function shorter(folder: string, workspace: string): string | undefined {
  const way = relative(folder, workspace);
  if (way === "") return undefined;
  return way.startsWith("..") ? workspace : way;
}

/** Add a hint to an error: for each way to resolve the error, a command line that runs only this spec. */
export function withAdvice(error: unknown, address: SpecAddress, values: OptionValues): unknown {
  if (!(error instanceof FixpointError) || error.ways.length === 0) return error;
  return Object.assign(error, { hint: adviceOf(error, { ...address, options: typedOptions(values, false) }) });
}

/**
 * Ask for all consent that the runs need before any run begins, since later no one may be at the terminal.
 *
 * @param again The command line that agrees to everything.
 * @returns The hash of the accepted question, by run.
 * @throws {InputError} `consent-missing` with everything that needs consent, if no one can be asked
 */
export async function askAll(
  runs: readonly FoundRun[],
  terminal: Pick<Terminal, "ask" | "out" | "columns" | "rows">,
  again: string,
): Promise<ReadonlyMap<FoundRun, string>> {
  const { ask, out } = terminal;
  const accepted = new Map<FoundRun, string>();
  const agreed: FirstQuestion[] = [];
  const missing: Parameters<typeof renderMissing>[0][number][] = [];
  for (const run of runs) {
    const question = await questionOf(run);
    if (question === null) continue;
    const { text, items, hash, doubt } = question;
    if (question.isAnswered) agreed.push(question);
    else if (ask !== undefined) {
      const whole = `${run.label}: ${text} ${question.ask}`;
      if (!(await askPerson(whole, items, ask, out, terminal))) continue;
      agreed.push(question);
      accepted.set(run, hash);
    } else if (question.refuses) missing.push({ label: run.label, doubt, items });
  }
  // Remember the consent now, so that a run that begins later or in another call does not ask again.
  if (missing.length === 0) for (const question of agreed) question.agree();
  if (missing.length === 0) return accepted;
  throw new InputError(renderMissing(missing), {
    code: "consent-missing",
    hint: `Read them, then agree: ${again}`,
  });
}

/**
 * Find the question to ask before a run begins. Null if the run asks no question, or if the run cannot begin: the start
 * of the run then reports the reason.
 */
async function questionOf({ prepared, end }: FoundRun): Promise<FirstQuestion | null> {
  if (prepared === null || end !== null) return null;
  try {
    return (await lookAhead(prepared.options)).question;
  } catch {
    return null;
  }
}

interface SpecSummary {
  readonly spec: string;
  /** Absolute. */
  readonly folder: string | null;
  /** Outcome of the run; `refused` when an error was thrown, `not begun` when the run was never started. */
  readonly outcome: string;
  readonly exitCode: number;
  /** Number of done tasks and of all tasks; null when the plan cannot be read. */
  readonly tasks: { readonly done: number; readonly total: number } | null;
  /** US dollars; null when unknown. */
  readonly cost: number | null;
  /** Advice on what to do next; null when nothing is left to do. */
  readonly next: string | null;
}

export function summaryOf({ label, spec, end }: FoundRun): SpecSummary {
  const facts = { spec: label, folder: spec?.folder ?? null, tasks: spec === null ? null : tasksIn(spec.folder) };
  if (end === null) return { ...facts, outcome: "not begun", exitCode: exitCodes.interrupted, cost: null, next: null };
  if ("error" in end) {
    const next = end.error instanceof FixpointError ? firstLine(end.error.hint) : null;
    return { ...facts, outcome: "refused", exitCode: renderError(end.error).exitCode, cost: null, next };
  }
  const { outcome, exitCode, costUsd, hint } = end.ended;
  return { ...facts, outcome, exitCode, cost: costUsd ?? null, next: outcome === "complete" ? null : firstLine(hint) };
}

function tasksIn(folder: string): SpecSummary["tasks"] {
  try {
    const { completed, total } = readStatus(folder);
    return { done: completed, total };
  } catch {
    return null;
  }
}

const firstLine = (hint: string | undefined): string | null => hint?.split("\n")[0] ?? null;

/** Exit codes by importance. If runs end differently, the result is the first code of this list that occurs. */
const precedence = [130, 70, 5, 4, 2, 3, 1];

/** Combine the exit codes of many runs: 0 only when all are complete. */
export const exitCodeOf = (summaries: readonly SpecSummary[]): number =>
  precedence.find((code) => summaries.some(({ exitCode }) => exitCode === code)) ?? 0;

export function renderAll(summaries: readonly SpecSummary[]): string {
  const rows = summaries.map(({ spec, outcome, tasks, cost }) => [
    escapeText(spec),
    outcome,
    tasks === null ? "" : `${tasks.done}/${countOf(tasks.total, "task", "tasks")}`,
    cost === null ? "" : `$${cost.toFixed(2)}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const complete = summaries.filter(({ outcome }) => outcome === "complete").length;
  const lines = rows.flatMap((row, at) => {
    const next = summaries[at]?.next ?? null;
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return [`  ${line}`.trimEnd(), ...(next === null ? [] : [`    ${escapeText(next)}`])];
  });
  return `\nSpecs: ${complete} of ${summaries.length} complete\n${lines.join("\n")}\n`;
}
