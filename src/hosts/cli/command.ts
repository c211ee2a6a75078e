import * as z from "zod";
import { type SpecAddress, shellWord } from "../../model/command-line.ts";
import { FixpointError, InputError } from "../../model/errors.ts";
import { findSpec, programIn, type SpecFolder, specAddress } from "../node/find-spec.ts";
import { type Call, type CliCommand, renderJson } from "./cli-command.ts";
import { flag, type Given, type Options, readGiven, switchesOf } from "./options/read-flag.ts";

export const json = flag(z.boolean(), "--json", "one JSON object");
export const runNumber = flag(z.int().min(1), "--run <n>", "which run of the spec", { unset: "the latest" });
/** Shared by commands that can also read from a fleet. */
export const queue = flag(z.string(), "--queue <address>", "the database of a fleet, postgres://user@host/database");

interface ReadCall<Of extends Options> extends Call {
  readonly given: Given<Of>;
  /**
   * Find a spec by its name.
   *
   * @param as The command to suggest, together with the spec, in errors.
   * @throws {InputError} `spec-ambiguous`, `spec-missing`, `spec-not-named`, `tasks-missing`, `tasks-unusable`,
   * `workspace-missing`
   * @throws {EnvironmentError} `file-refused`
   */
  open(named: string | undefined, as: string): { readonly spec: SpecFolder; readonly address: SpecAddress };
  print(found: object, render: () => string): void;
}

/** Define a command with typed options. The exit code is 0 unless `run` returns another code. */
export const command = <Of extends Options>({
  options,
  run,
  ...more
}: Pick<CliCommand, "choices" | "example"> & {
  readonly options: Of;
  readonly run: (call: ReadCall<Of>) => Promise<number | undefined> | number | undefined;
}): CliCommand => ({
  ...more,
  options: switchesOf(options),
  async run(call) {
    const { folder, terminal } = call.surroundings;
    const code = await run({
      ...call,
      given: readGiven(options, call.values),
      open(named, as) {
        const spec = findNamed(named, folder, as);
        return { spec, address: specAddress(spec, { from: folder }) };
      },
      print(found, render) {
        terminal.out(call.values["json"] === true ? `${renderJson(found)}\n` : render());
      },
    });
    return code ?? 0;
  },
});

/** Find a spec, or explain that a task and its spec were given in the wrong order. */
function findNamed(named: string | undefined, folder: string, as: string): SpecFolder {
  try {
    return findSpec(named, folder, as);
  } catch (error) {
    const [name = "", first, ...more] = as.split(" ");
    const mayBeSwapped = error instanceof FixpointError && error.code === "spec-missing" && more.length === 0;
    if (!mayBeSwapped || named === undefined || first === undefined || !isSpecIn(first, folder)) throw error;
    const { code, message } = error;
    const hint = `The task comes before the spec: ${programIn()} ${name} ${shellWord(named)} ${first}`;
    throw new InputError(message, { code, hint });
  }
}

export function isSpecIn(word: string, folder: string): boolean {
  try {
    findSpec(word, folder);
    return true;
  } catch (error) {
    if (error instanceof FixpointError) return error.code === "spec-ambiguous";
    throw error;
  }
}

interface Opened {
  readonly spec: SpecFolder;
  readonly address: SpecAddress;
  /** Open question to a person about the whole run of a fleet; null or absent if there is none. */
  readonly asked?: string | null;
}

/**
 * Read from a spec of this machine or, with the address of a queue, from a run of a fleet.
 *
 * @param named The spec, or the name of the run.
 * @param open Opens a spec of this machine.
 */
export async function withNamed<Result>(
  {
    queue,
    named,
    folder,
  }: { readonly queue: string | undefined; readonly named: string | undefined; readonly folder: string },
  open: () => Opened,
  look: (opened: Opened) => Promise<Result> | Result,
): Promise<Result> {
  if (queue === undefined) return look(open());
  const { openFleetRun } = await import("../dbos/open-run.ts");
  const run = await openFleetRun(queue, named ?? "");
  try {
    return await look({ spec: findSpec(run.folder, folder), address: run.address, asked: run.asked() });
  } finally {
    await run.close();
  }
}
