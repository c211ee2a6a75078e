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
