import { readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import { writePlan } from "../../../markdown/insert/render-task.ts";
import { readGsd } from "../../../markdown/read-gsd.ts";
import { InputError } from "../../../model/errors.ts";
import { countOf } from "../../../model/text.ts";
import { type InstalledTool, installedTools } from "../../node/doctor/check-tools.ts";
import { type FoundPlan, specFor } from "../../node/setup/find-plans.ts";
import { proposeCheck, tasksToVerify } from "../../node/start/find-project-check.ts";
import type { OptionValues } from "../cli-command.ts";
import { readRunFlags } from "../options/run-flags.ts";
import type { Settings } from "../options/settings.ts";
import { type Chooser, chooseAgent } from "./choose.ts";

interface Proposal {
  readonly after: WrittenConfig;
  /** Lines about the check, then about the agent. */
  readonly lines: readonly string[];
  /** The tasks that have no Verify and no other check, in words; null if there are none. */
  readonly unchecked: string | null;
}

interface Sources {
  readonly plan: FoundPlan;
  /** Text of the plan's `tasks.md`, existing or about to be written. */
  readonly text: string;
  readonly before: WrittenConfig;
  readonly said: Settings;
  readonly workspace: string;
}

/**
 * Propose settings that a config file lacks: the agent with its permissions, the check for tasks without a Verify, and
 * the remedies for a failed task. Existing values stay unless the command line overrides them.
 *
 * @throws {InputError} `agent-missing`, `agent-not-named`
 */
export async function propose(sources: Sources, chooser: Chooser, signal: AbortSignal): Promise<Proposal> {
  const { before, said } = sources;
  const who = asWritten(said);
  const { executor, exec, executorArgs, permissions, ...others } = before;
  const named = [who["executor"], who["exec"]];
  // Drop the flags and permissions of the previous agent if another agent is named.
  const isOther = named.some((each) => each !== undefined) && !isDeepStrictEqual(named, [executor, exec]);
  const written = { ...(isOther ? others : before), ...who };
  const agent = await findAgent(sources, written, chooser, signal);
  const check = findCheck(sources, written);
  const choosesLadder = ["recovery", "recoveryMode", "repair", "escalation"].some((key) => written[key] !== undefined);
  return {
    after: {
      ...written,
      ...agent.settings,
      ...check.settings,
      ...(choosesLadder ? {} : { recoveryMode: true, escalation: true }),
    },
    lines: [...check.lines, ...agent.lines],
    unchecked: check.unchecked ?? null,
  };
}

interface Found {
  readonly settings: WrittenConfig;
  readonly lines: readonly string[];
}

async function findAgent(
  { workspace }: Sources,
  written: WrittenConfig,
  chooser: Chooser,
  signal: AbortSignal,
): Promise<Found> {
  const { executor, exec } = written;
  if (executor === undefined && exec !== undefined) return { settings: {}, lines: [`agent  ${String(exec)}`] };
  const installed = await installedTools(workspace, signal);
  const tool =
    executor === undefined
      ? await chooseAgent(installed, chooser)
      : installed.find((each) => exec === undefined && each.tool === executor);
  const others = installed.filter((each) => each.lacks !== null && each !== tool);
  const lines = [
    `agent  ${tool?.name ?? [executor].flat().join(", then ")}`,
    ...(executor === undefined ? others.map(({ lacks }) => `       not ready: ${lacks}`) : []),
  ];
  const named = executor === undefined ? { executor: tool?.tool } : {};
  const isGiven = ["permissions", "executorArgs"].some((key) => written[key] !== undefined);
  return { settings: { ...named, ...(tool === undefined || isGiven ? {} : rightsOf(tool)) }, lines };
}

function rightsOf({ rights }: InstalledTool): WrittenConfig {
  const values: Record<string, OptionValues[string]> = {};
  for (const [at, word] of rights.entries()) {
    const value = rights[at + 1] ?? "";
    if (word === "--executor-args") values["executorArgs"] = [value];
    else if (word.startsWith("--")) values[word.slice(2)] = value;
  }
  return asWritten(readRunFlags(values));
}

function findCheck(
  { plan: { folder }, text, workspace }: Sources,
  written: WrittenConfig,
): Found & { readonly unchecked?: string } {
  const { tasks } = readPlan(text);
  const open = `${countOf(tasksToVerify(tasks).length, "task", "tasks")} without a Verify`;
  if (tasksToVerify(tasks).length === 0) return { settings: {}, lines: ["check  the Verify of each task"] };
  if (written["verify"] !== undefined) {
    const check = `${String(written["verify"])}, for ${open}`;
    return { settings: {}, lines: [`check  ${check}${whenFor(written["checkEvery"])}`] };
  }
  const found = proposeCheck(tasks, workspace, folder);
  if (found === null) return { settings: {}, lines: [`check  none found for ${open}`], unchecked: open };
  const { command, from, checkEvery } = found;
  const every = written["checkEvery"] === undefined && checkEvery !== "task" ? { checkEvery } : {};
  return {
    settings: { verify: command, ...every },
    lines: [`check  ${command} (from ${from}), for ${open}${whenFor(written["checkEvery"] ?? checkEvery)}`],
  };
}

/**
 * Words for the time at which a check runs; empty if the check runs after each task.
 *
 * @param every The setting `checkEvery` of a config file.
 */
const whenFor = (every: unknown): string =>
  every === "phase" ? ", after each phase" : every === "end" ? ", at the end" : "";

/** The JSON of a config file, not interpreted. */
type WrittenConfig = Readonly<Record<string, unknown>>;

/** Read a config file that is already validated. */
export const readWritten = (path: string): WrittenConfig =>
  JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, "")) as WrittenConfig;

/** Convert settings to the form of a config file. Durations are not supported. */
function asWritten({ policy, ladder, executor, ...others }: Settings): WrittenConfig {
  const [only, ...more] = executor ?? [];
  const who = only === undefined ? {} : { executor: more.length === 0 ? only : executor };
  const all = { ...who, ...others, ...policy, ...ladder };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A changed key of a config file; `before` or `after` is undefined if the key is absent. */
export interface ConfigChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

export const changesOf = (before: WrittenConfig, after: WrittenConfig): readonly ConfigChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, before: before[key], after: after[key] }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));

/** Maximum length of a plan, in characters. */
const most = 10_000_000;

export interface MadePlan {
  readonly folder: string;
  readonly text: string;
  readonly tasks: readonly { readonly id: string; readonly title: string; readonly verify: string | null }[];
}

/**
 * Make a `tasks.md` from plans with other file names: either a copy of one plan with boxes, or references to the tasks
 * of plans without boxes.
 *
 * @param sources Absolute.
 * @param given Folder of the spec, absolute. Default: the folder of the GSD plans, else a new folder below `specs`.
 * @throws {InputError} `source-unreadable`, `source-empty`
 */
export function makePlan(sources: readonly string[], workspace: string, given?: string): MadePlan {
  const texts = sources.map((path) => ({ path, text: readText(path) }));
  const [first = { path: "", text: "" }, ...others] = texts;
  const copied = others.length === 0 ? readPlan(first.text) : null;
  const isOfGsd = copied === null || copied.dialect === "gsd";
  if (!isOfGsd && copied.problems.every(({ rule }) => rule !== "no-tasks")) {
    const folder = given ?? specFor(first.path, workspace);
    return { folder, text: first.text, tasks: copied.tasks.map(shown) };
  }
  const folder = given ?? (isOfGsd ? dirname(first.path) : specFor(first.path, workspace));
  const phases = texts.map(({ path, text }) => readSource(path, text, isOfGsd ? folder : workspace));
  const numbered = phases.map(({ title, tasks }, at) => ({
    title,
    tasks: phases.length === 1 ? tasks : tasks.map((task) => ({ ...task, id: `${at + 1}.${task.id}` })),
  }));
  const tasks = numbered.flatMap((phase) => phase.tasks).map(shown);
  return { folder, text: writePlan(`Tasks: ${basename(folder)}`, numbered), tasks };
}

interface SourceTask {
  readonly id: string;
  readonly title: string;
  readonly fields: { readonly verify?: string | undefined };
}

const shown = ({ id, title, fields }: SourceTask) => ({ id, title, verify: fields.verify ?? null });

function readSource(path: string, text: string, place: string) {
  const name = relative(place, path).replaceAll("\\", "/");
  const { objective, tasks } = readGsd(text, name);
  if (tasks.length === 0) {
    throw new InputError(
      `Cannot make tasks of \`${name}\`, expected \`<task>\` elements, headings such as \`### Task 1: Title\`, or boxes`,
      {
        code: "source-empty",
        hint: "Name plans with such elements or headings, or a single plan with boxes",
      },
    );
  }
  return { title: `${name}${objective === null ? "" : `: ${objective}`}`, tasks };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").slice(0, most);
  } catch (cause) {
    throw new InputError(`Cannot read \`${path}\`, expected a readable file`, {
      code: "source-unreadable",
      hint: "Correct the path after --from",
      cause,
    });
  }
}
