import { fstatSync, readFileSync, realpathSync } from "node:fs";
import { withRegular } from "../../../adapters/files/own-file.ts";
import { refused } from "../../../adapters/files/refused.ts";
import { checkPlanBytes, checkPlanSize } from "../../../markdown/check-plan-size.ts";
import { readPlan } from "../../../markdown/document/plan-document.ts";
import type { Plan } from "../../../model/plan.ts";

/**
 * Read a plan and its text.
 *
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 * @throws {EnvironmentError} `file-refused`
 */
export function readPlanFile(path: string): { readonly plan: Plan; readonly text: string } {
  const text = refused("read", path, () => readPlanText(path));
  return { plan: readPlan(text), text };
}

/**
 * Read the text of a plan, even if another user owns the file. A pipe is refused, since reading it would block.
 *
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 * @throws {EnvironmentError} `file-refused`
 */
export const readPlanText = (path: string): string =>
  withRegular(realpathSync(path), "read", (file) => {
    const name = `\`${path}\``;
    checkPlanBytes(fstatSync(file).size, name);
    const text = readFileSync(file, "utf8");
    checkPlanSize(text, name);
    return text;
  });
