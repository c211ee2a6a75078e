import { resolve } from "node:path";
import * as z from "zod";
import type { SpecAddress } from "../../model/command-line.ts";
import { findSpec, type SpecFolder, specAddress } from "../node/find-spec.ts";
import { type Call, type CliCommand, renderJson } from "./cli-command.ts";
import { flag, type Given, type Options, readGiven, switchesOf } from "./options/read-flag.ts";

/** Options that several commands have. */
export const json = flag(z.boolean(), "--json", "one JSON object");
export const runNumber = flag(z.int().min(1), "--run <n>", "which run of the spec", { unset: "the latest" });
/** Of those that also look at a fleet. */
export const queue = flag(z.string(), "--queue <address>", "the database of a fleet, postgres://user@host/database");

/** A call whose options are read. */
interface ReadCall<Of extends Options> extends Call {
  readonly given: Given<Of>;
  /**
   * Find the spec that a person has named.
   *
   * @param as The command that errors tell a person to type with the spec.
   * @throws {InputError} `spec-missing`, `spec-not-named`, `tasks-missing`, `tasks-unusable`, `workspace-missing`
   * @throws {EnvironmentError} `file-refused`
   */
  open(named: string | undefined, as: string): { readonly spec: SpecFolder; readonly address: SpecAddress };
  /** Print what was found, with `--json` as it is. */
  print(found: object, render: () => string): void;
}

/** A command with options of its own, which are read before it runs. Without an exit code it ends with 0. */
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
        const spec = findSpec(named, folder, as);
        return { spec, address: specAddress(spec, { from: folder }) };
      },
      print(found, render) {
        terminal.out(call.values["json"] === true ? `${renderJson(found)}\n` : render());
      },
    });
    return code ?? 0;
  },
});

interface Opened {
  readonly spec: SpecFolder;
  readonly address: SpecAddress;
}

/**
 * Look at a spec of this machine or, with the address of a queue, at what a fleet holds of one of its runs.
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
    const spec = findSpec(resolve(folder, run.folder), folder);
    return await look({ spec, address: specAddress(spec, { from: folder }) });
  } finally {
    run.close();
  }
}
