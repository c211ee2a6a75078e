import { isDeepStrictEqual } from "node:util";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import { countOf } from "../../../model/text.ts";
import { type InstalledTool, installedTools } from "../../node/doctor/check-tools.ts";
import type { FoundPlan } from "../../node/setup/find-plans.ts";
import { proposeCheck, tasksToVerify } from "../../node/start/find-project-check.ts";
import type { OptionValues } from "../cli-command.ts";
import { readRunFlags } from "../options/run-flags.ts";
import type { Settings } from "../options/settings.ts";
import { type Chooser, chooseAgent } from "./choose.ts";
import { asWritten, type WrittenConfig } from "./written-config.ts";

/** A proposed config file, with a summary of it. */
interface Proposal {
  readonly after: WrittenConfig;
  /** Lines about the check, then about the agent. */
  readonly lines: readonly string[];
}

interface Sources {
  readonly plan: FoundPlan;
  /** Text of its `tasks.md`, existing or about to be written. */
  readonly text: string;
  /** The existing config file; empty without one. */
  readonly before: WrittenConfig;
  /** Settings of the command line. */
  readonly said: Settings;
  readonly workspace: string;
}

/**
 * Propose what a config file leaves open: the agent with its permissions, the check for tasks without a Verify, and the
 * remedies for a failed task. Existing values stay unless the command line overrides them.
 *
 * @throws {InputError} `agent-missing`, `agent-not-named`
 */
export async function propose(sources: Sources, chooser: Chooser, signal: AbortSignal): Promise<Proposal> {
  const { before, said } = sources;
  const who = asWritten(said);
  const { executor, exec, executorArgs, permissions, ...others } = before;
  const named = [who["executor"], who["exec"]];
  // Drop the flags and permissions of the previous agent if another one is named.
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

/** Config settings that let a tool write files. */
function rightsOf({ rights }: InstalledTool): WrittenConfig {
  const values: Record<string, OptionValues[string]> = {};
  for (const [at, word] of rights.entries()) {
    const value = rights[at + 1] ?? "";
    if (word === "--executor-args") values["executorArgs"] = [value];
    else if (word.startsWith("--")) values[word.slice(2)] = value;
  }
  return asWritten(readRunFlags(values));
}

function findCheck({ plan: { folder }, text, workspace }: Sources, written: WrittenConfig): Found {
  const { tasks } = readPlan(text);
  const open = countOf(tasksToVerify(tasks).length, "task", "tasks");
  if (tasksToVerify(tasks).length === 0) return { settings: {}, lines: ["check  the Verify of each task"] };
  if (written["verify"] !== undefined) {
    return { settings: {}, lines: [`check  ${String(written["verify"])}, for ${open} without a Verify`] };
  }
  const found = proposeCheck(tasks, workspace, folder);
  if (found === null) {
    return { settings: {}, lines: [`check  none for ${open} without a Verify: name a command with --verify`] };
  }
  const { command, from, checkEvery } = found;
  const every = written["checkEvery"] === undefined && checkEvery !== "task" ? { checkEvery } : {};
  return {
    settings: { verify: command, ...every },
    lines: [`check  ${command} (from ${from}), for ${open} without a Verify`],
  };
}
