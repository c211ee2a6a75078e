import { closeSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename } from "node:path";
import { whyMissing } from "../../../adapters/command-executor.ts";
import { findPreset, isToolProgram, presets } from "../../../adapters/presets/presets.ts";
import type { Trouble } from "../../../adapters/presets/setup/tool-environment.ts";
import { openOutput, readTail } from "../../../adapters/processes/open-output.ts";
import { runCommand } from "../../../adapters/processes/run-command.ts";
import { findCommand } from "../../../adapters/processes/shell-command.ts";
import { adviceOf, renderActions, type SpecAddress, splitCommand } from "../../../model/command-line.ts";
import { FixpointError, type InputError } from "../../../model/errors.ts";
import type { PermissionLevel } from "../../../model/reply.ts";
import { callOf, lineOf, mendingOf, troublesOf } from "../executors/executor-call.ts";
import { optionsIn } from "../executors/resolve-executors.ts";
import type { ExecutorChoice, ExecutorOption } from "../run-options.ts";

export interface ToolPlace {
  /** Absolute. */
  readonly workspace: string;
  readonly permissions: PermissionLevel;
  /** Address of the run, for command lines in remedies. */
  readonly address: SpecAddress;
}

interface ToolReport {
  /** Name and version of the tool, or its command line. */
  readonly name: string;
  readonly missing: InputError | null;
  readonly troubles: readonly Trouble[];
  /** Reason why the version is unknown; null if the version is known, or was not requested. */
  readonly mute: string | null;
}

/** Report every known tool that is installed, and whether one of them could do the tasks. */
export async function checkKnownTools(place: ToolPlace, signal: AbortSignal): Promise<readonly Finding[]> {
  const there = installedIn(place.workspace);
  const names = presets.filter((preset) => !there.includes(preset)).map(({ name }) => name);
  if (there.length === 0) {
    const remedy = "Install one of them, or give any other program with --exec";
    return [{ about: "tool", level: "warning", what: `no known tool is on the PATH: ${names.join(", ")}`, remedy }];
  }
  const options = there.map(({ name }) => ({ preset: name }));
  const found = await checkChoice(options, place, signal, (address, option) =>
    typeof option === "object"
      ? { ...address, options: [...(address.options ?? []), "--executor", option.preset] }
      : address,
  );
  return names.length === 0 ? found : [...found, ok("tool", `not on the PATH: ${names.join(", ")}`)];
}

const installedIn = (workspace: string) =>
  presets.filter(({ command }) => whyMissing(splitCommand(command)[0], workspace) === null);

export interface InstalledTool {
  readonly tool: string;
  readonly name: string;
  /** The reason why the tool would not work, such as a missing login; null if no reason is known. */
  readonly lacks: string | null;
  /**
   * Options that let the tool write without asking a person; empty if the tool needs no options, or if the options are
   * unknown.
   */
  readonly rights: readonly string[];
}

/**
 * Find the known tools that are installed, in the order of `presets`, with their state when called without permissions.
 */
export const installedTools = (workspace: string, signal: AbortSignal): Promise<readonly InstalledTool[]> =>
  Promise.all(
    installedIn(workspace).map(async ({ name: tool }) => {
      const { name, troubles, mute } = await reportOf({ preset: tool }, { workspace, permissions: "tool" }, signal);
      const [other] = troubles.filter(({ about }) => about !== "permissions");
      const rights = troubles.flatMap(({ about, words }) => (about === "permissions" ? (words ?? []) : []));
      return { tool, name, lacks: mute === null ? (other?.what ?? null) : `${name}: ${mute}`, rights };
    }),
  );

/**
 * Check the executors for the tasks. A problem is an error only if every executor has a problem: otherwise another
 * executor of the chain can do the work.
 */
export async function checkChoice(
  choice: ExecutorChoice,
  place: ToolPlace,
  signal: AbortSignal,
  addressFor: (address: SpecAddress, option: ExecutorOption) => SpecAddress = (address) => address,
): Promise<readonly Finding[]> {
  const options = optionsIn(choice);
  let reports: readonly ToolReport[];
  try {
    reports = await Promise.all(options.map((option) => reportOf(option, place, signal)));
  } catch (error) {
    return [findingOf("tool", error, place.address)];
  }
  const canWork = reports.some((report) => report.missing === null && !report.troubles.some(({ certain }) => certain));
  return reports.flatMap((report, at) =>
    findingsIn(report, canWork ? "warning" : "error", addressFor(place.address, options[at] as ExecutorOption)),
  );
}

/**
 * Build the findings about a tool. Options that solve several troubles are combined in one command line: with only some
 * of the options the tool would still refuse.
 *
 * @param level Level of a finding that certainly keeps the tool from working.
 */
function findingsIn(
  { name, missing, troubles, mute }: ToolReport,
  level: "warning" | "error",
  address: SpecAddress,
): readonly Finding[] {
  if (missing !== null) return [{ ...findingOf("tool", missing, address), level }];
  const remedy = "Try it by hand: it may be broken, or another program of that name";
  return [
    mute === null
      ? ok("tool", `${name} is there`)
      : { about: "tool", level: "warning", what: `${name}: ${mute}`, remedy },
    ...troubles.map(
      (trouble): Finding => ({
        ...{ about: "tool", level: trouble.certain ? level : "warning", what: trouble.what },
        remedy: renderActions(
          mendingOf(trouble.words === undefined ? [trouble] : troubles.filter(({ words }) => words !== undefined)),
          address,
        ),
      }),
    ),
  ];
}

async function reportOf(
  option: ExecutorOption,
  { workspace, permissions }: Omit<ToolPlace, "address">,
  signal: AbortSignal,
): Promise<ToolReport> {
  // The allowed commands do not affect whether the tool works.
  const call = callOf(option, permissions, []);
  if (call === null) return { name: "a function", missing: null, troubles: [], mute: null };
  const [word = ""] = call.words;
  const missing = whyMissing(word, workspace);
  const troubles = missing === null ? troublesOf(option, call, workspace) : [];
  const name = typeof option === "object" ? option.preset : `\`${lineOf(call)}\``;
  const program = findCommand(word, workspace);
  // A wrapper may not understand `--version`.
  const isTool =
    typeof option === "object"
      ? basename(word) === splitCommand(findPreset(option.preset).command)[0]
      : isToolProgram(word);
  if (program === null || !isTool) return { name, missing, troubles, mute: null };
  const asked = await askVersion(program, signal);
  return "version" in asked
    ? { name: `${name} ${asked.version}`, missing, troubles, mute: null }
    : { name, missing, troubles, mute: asked.reason };
}

export interface Finding {
  readonly about: "node" | "git" | "sh" | "folder" | "plan" | "verify" | "settings" | "tool" | "consent";
  /** An error certainly keeps a run from working, a warning possibly. */
  readonly level: "ok" | "warning" | "error";
  /** One line. */
  readonly what: string;
  /** Remedies, a line each; null if nothing is wrong. */
  readonly remedy: string | null;
}

export const ok = (about: Finding["about"], what: string): Finding => ({ about, level: "ok", what, remedy: null });

/**
 * Turn an error that a start of a run would throw into a finding.
 *
 * @throws Errors that are not a `FixpointError`, and defects.
 */
export function findingOf(about: Finding["about"], error: unknown, address: SpecAddress): Finding {
  if (!(error instanceof FixpointError) || error.blame === "invariant") throw error;
  return { about, level: "error", what: error.message, remedy: adviceOf(error, address) ?? null };
}

const timeoutMs = 15_000;
const keptBytes = 4096;
const outputCapBytes = 16 * 1024 * 1024;

/**
 * Ask a program for its version with `--version`.
 *
 * @param program Absolute path of the program.
 * @returns The version, or the reason why it is unknown.
 */
export async function askVersion(
  program: string,
  signal: AbortSignal,
): Promise<{ readonly version: string } | { readonly reason: string }> {
  const stdout = openOutput();
  try {
    // Run the program outside of the workspace, so that no file of the workspace can change the answer.
    const options = { cwd: tmpdir(), env: process.env, stdout, timeoutMs, outputCapBytes };
    const { ended, exitCode } = await runCommand(program, ["--version"], options, signal);
    const [version] = /\b\d{1,10}(?:\.\d{1,10}){1,3}(?:-[\w.]{1,40})?/.exec(readTail(stdout, keptBytes)) ?? [];
    if (ended === "timeout") return { reason: `its --version did not end within ${timeoutMs / 1000} s` };
    if (exitCode !== 0) return { reason: `its --version ended with exit code ${exitCode}` };
    return version === undefined ? { reason: "its --version prints no version" } : { version };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  } finally {
    closeSync(stdout);
  }
}
