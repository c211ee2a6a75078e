import type { CliWords } from "./cli-command.ts";

/** Options that say what this very start is to do: they are given anew each time. */
const momentary = new Set(["cwd", "yes", "accept", "guidance", "decision", "takeOver", "newRun"]);

/** The options of a call of `run` or `resume` as words, but for those that are given anew each time. */
export const typedOptions = (words: CliWords): string[] =>
  Object.entries(words).flatMap(([name, value]) => {
    if (value === undefined || value === false || momentary.has(name)) return [];
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((each: string) => [flag, each]);
  });
