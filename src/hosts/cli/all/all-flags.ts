import { InputError } from "../../../model/errors.ts";
import { defaultJobs } from "../../node/find-specs.ts";
import type { CliOption, OptionValues } from "../cli-command.ts";
import { parseCount, parseText } from "../options/parse-value.ts";

/** Options of `run` for many specs at once. */
export const allFlags: readonly CliOption[] = [
  {
    flags: "--all <folder>",
    summary: "run every spec below this folder; those that share a workspace one after the other",
    group: "Many specs",
  },
  {
    flags: "--jobs <n>",
    summary: "how many of them work side by side at most (default: one for each processor, from 2 to 4)",
    group: "Many specs",
  },
];

/** What the command line says of many specs. */
export interface SaidOfAll {
  /** As it was typed. */
  readonly folder: string;
  readonly jobs: number;
}

/**
 * What `--all` and `--jobs` say; null when one spec is meant.
 *
 * @throws {InputError} `bad-option`, `bad-number`
 */
export function readAll(
  spec: string | undefined,
  { all, jobs, reporter, inspect, watch }: OptionValues,
): SaidOfAll | null {
  if (typeof all !== "string") {
    if (jobs === undefined) return null;
    throw new InputError("Cannot use --jobs for one spec, expected it beside --all", { code: "bad-option" });
  }
  const folder = parseText("--all", all);
  if (spec !== undefined) {
    throw new InputError(`Cannot use --all beside the spec \`${spec}\`, expected one of them`, {
      code: "bad-option",
      hint: "Leave the spec out to run all below the folder, or --all to run only this one",
    });
  }
  if (inspect !== undefined) {
    throw new InputError("Cannot use --inspect beside --all, expected one spec to inspect", { code: "bad-option" });
  }
  if (watch !== undefined) {
    throw new InputError("Cannot use --watch beside --all, expected one spec to watch", {
      code: "bad-option",
      hint: "Watch all of them from another terminal: fixpoint watch <folder>",
    });
  }
  if (reporter === "tree") {
    throw new InputError("Cannot use --reporter tree beside --all, expected plain or json", {
      code: "bad-option",
      hint: "Several runs are told line by line, each with the name of its spec",
    });
  }
  return { folder, jobs: typeof jobs === "string" ? parseCount("--jobs", jobs, 1) : defaultJobs() };
}
