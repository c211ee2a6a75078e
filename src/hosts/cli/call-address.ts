import { resolve } from "node:path";
import { adviceOf, type SpecAddress } from "../../model/command-line.ts";
import type { FixpointError } from "../../model/errors.ts";
import { findSpec, type SpecFolder } from "../node/find-spec.ts";
import { programIn } from "../node/program-in.ts";
import { specAddress } from "../node/spec-address.ts";
import type { CliWords } from "./cli-command.ts";
import { typedOptions } from "./typed-options.ts";

/**
 * How a person who has typed a call names its spec, and what they would type again.
 *
 * @param found Null where none is named, and `run` looks for the only one.
 * @param folder The current one.
 */
export function callAddress(found: SpecFolder | null, words: CliWords, folder: string): SpecAddress {
  const [cwd, options] = [cwdOf(words), typedOptions(words)];
  if (found !== null) return { ...specAddress(found, { from: folder, cwd }), options };
  return { program: programIn(), spec: "", cwd: cwd ?? null, path: "", options };
}

/** An error of a call as the person who has typed it is told: each way past it with its line. */
export function withLines(
  error: FixpointError,
  call: { readonly spec: string | undefined; readonly words: CliWords; readonly folder: string },
): FixpointError {
  const found = specOf(call);
  if (found === null) return error;
  const address = callAddress(found, call.words, call.folder);
  const options = typedOptions(call.words, false);
  return Object.assign(error, { hint: adviceOf(error, { ...address, options }) });
}

/** Null for what is no spec, as a journal by its path. */
function specOf({ spec, words, folder }: Parameters<typeof withLines>[1]): SpecFolder | null {
  try {
    return findSpec(spec, resolve(folder, cwdOf(words) ?? "."));
  } catch {
    return null;
  }
}

const cwdOf = ({ cwd }: CliWords): string | undefined => (typeof cwd === "string" ? cwd : undefined);
