import { resolve } from "node:path";
import { adviceOf, type SpecAddress, withAnswer } from "../../model/command-line.ts";
import type { FixpointError } from "../../model/errors.ts";
import { findSpec, programIn, type SpecFolder, specAddress } from "../node/find-spec.ts";
import type { OptionValues } from "./cli-command.ts";
import { readConfig } from "./options/config.ts";
import { recallExecutors } from "./options/executor-memory.ts";
import { argsIn, chooseWorkspace } from "./options/merge-settings.ts";
import { readRunFlags, typedOptions } from "./options/run-flags.ts";

/**
 * Describe how a call names its spec, so that messages can show command lines to type next.
 *
 * @param found Null if the call names no spec; `run` then looks for the only spec.
 * @param folder The current folder.
 */
export function callAddress(found: SpecFolder | null, values: OptionValues, folder: string): SpecAddress {
  const [cwd, options] = [cwdOf(values), typedOptions(values)];
  if (found !== null) return { ...specAddress(found, { from: folder, cwd }), options };
  return { program: programIn(), spec: "", cwd: cwd ?? null, path: "", options };
}

interface FailedCall {
  readonly command: string;
  readonly spec: string | undefined;
  readonly values: OptionValues;
  readonly folder: string;
}

/** Commands that start a run. After an error in such a command, hints repeat its options. */
const starts: readonly string[] = ["run", "resume", "next"];

/** Replace the hint of an error by each way to resolve it, with the command line to type. */
export async function withLines(error: FixpointError, call: FailedCall): Promise<FixpointError> {
  const found = specOf(call);
  const hint =
    found === null ? error.ways.map(({ say }) => say).join("\n") : adviceOf(error, await againOf(call, found));
  return Object.assign(error, { hint });
}

/** Build the address for the next call. If the command starts no run, its options are dropped, except `--cwd`. */
async function againOf({ command, values, folder }: FailedCall, found: SpecFolder): Promise<SpecAddress> {
  const address = callAddress(found, starts.includes(command) ? values : { cwd: values["cwd"] }, folder);
  if (!starts.includes(command)) return address;
  const args = await knownArgs(found, values, folder);
  const start = command === "next" ? ({ start: command } as const) : {};
  return withAnswer({ ...address, ...start, options: typedOptions(values, false), args }, values);
}

/**
 * Arguments of known tools from the call, from earlier calls, or from the config file; empty if any of these cannot be
 * read.
 */
async function knownArgs(
  found: SpecFolder,
  values: OptionValues,
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  try {
    const given = readRunFlags(values);
    const config = await readConfig([found.folder, resolve(folder, given.cwd ?? ".")]);
    const place = chooseWorkspace(given.cwd, config, folder);
    return argsIn((await recallExecutors(given, found, place)).settings, config);
  } catch {
    return {};
  }
}

/** Find the spec of the call; null if the argument names something else, such as a journal. */
function specOf({ spec, values, folder }: FailedCall): SpecFolder | null {
  try {
    return findSpec(spec, resolve(folder, cwdOf(values) ?? "."));
  } catch {
    return null;
  }
}

const cwdOf = ({ cwd }: OptionValues): string | undefined => (typeof cwd === "string" ? cwd : undefined);
