import type { OptionValues } from "../cli-command.ts";
import { runFlags } from "./run-flags.ts";
import { keepRunsFlag } from "./shared-flags.ts";

/** What no line has among its options: the workspace has a place of its own, and only `resume` takes the others. */
const apart = new Set(["cwd", "guidance", "decision"]);

/** Options that say what this very start is to do: once it has begun they are given anew each time. */
const momentary = new Set(["yes", "accept", "takeOver", "newRun"]);

const ofRun = new Set([...runFlags, keepRunsFlag].map(({ flags }) => flags.split(" ")[0]));

/**
 * The options of a call that `run` takes, too, as words of a command line.
 *
 * @param hasBegun Whether what was said for this very start has been heard.
 */
export const typedOptions = (values: OptionValues, hasBegun = true): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    const word = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const flag = value === false ? `--no-${word}` : `--${word}`;
    if (value === undefined || apart.has(name) || !ofRun.has(flag)) return [];
    if (hasBegun && momentary.has(name)) return [];
    if (typeof value === "boolean") return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((each: string) => [flag, each]);
  });
