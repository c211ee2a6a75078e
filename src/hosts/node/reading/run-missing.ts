import { commandLine, type SpecAddress } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";

/** The error for a run that does not exist, or no longer. */
export const runMissing = (run: number, address: SpecAddress): InputError =>
  new InputError(`Cannot find run ${run}, expected one that is kept below .fixpoint`, {
    code: "run-missing",
    hint: `See the latest: ${commandLine(address, "status")}`,
  });
