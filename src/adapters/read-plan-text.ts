import { fstatSync, readFileSync, realpathSync } from "node:fs";
import { checkPlanBytes, checkPlanSize } from "../markdown/check-plan-size.ts";
import { withRegular } from "./own-file.ts";

/**
 * The text of a plan that only is looked at, whoever it belongs to. A pipe does not keep anybody waiting.
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
