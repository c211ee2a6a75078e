import { readFileSync, statSync } from "node:fs";
import { checkPlanBytes, checkPlanSize } from "../markdown/check-plan-size.ts";

/**
 * The text of a plan that only is looked at, whoever it belongs to.
 *
 * @throws {InputError} `plan-too-large`, `plan-too-deep`
 */
export function readPlanText(path: string): string {
  const name = `\`${path}\``;
  checkPlanBytes(statSync(path).size, name);
  const text = readFileSync(path, "utf8");
  checkPlanSize(text, name);
  return text;
}
