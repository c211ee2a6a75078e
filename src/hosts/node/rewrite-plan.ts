import { realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { refused } from "../../adapters/files/refused.ts";
import { draftPath, writeAtomic } from "../../adapters/files/write-atomic.ts";
import { refuseLocked } from "../../adapters/lease/spec-lease.ts";
import { InputError } from "../../model/errors.ts";
import { readPlanText } from "./reading/read-plan-file.ts";

/**
 * Replace the text of a plan if it has not changed since it was read.
 *
 * @param before The text as it was read.
 * @throws {InputError} `plan-changed` if the text has changed
 * @throws {EnvironmentError} `spec-locked`, `spec-on-other-host` while a run is in progress, `file-refused`
 */
export function rewritePlan(path: string, before: string, text: string): void {
  const target = refused("look at", path, () => realpathSync(path));
  const folder = dirname(target);
  refuseLocked(join(folder, ".fixpoint"), { takeOver: false });
  const check = (): void => {
    if (readPlanText(path) === before) return;
    throw new InputError(`Cannot write \`${path}\`: the file was changed after it was read`, {
      code: "plan-changed",
      hint: "Run the command again",
    });
  };
  const { mode } = refused("look at", path, () => statSync(target));
  refused("write", path, () =>
    writeAtomic(target, text, { temporary: draftPath(folder, "tasks.md"), durable: true, mode, check }),
  );
}
