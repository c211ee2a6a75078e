import { isAbsolute, join } from "node:path";
import { readToolJson, type ToolSurroundings, type Trouble } from "./tool-surroundings.ts";

/** How a tool that asks before it writes gets the right to write, other than by a permission level. */
export interface RightsSigns {
  /** Options on the tool's command line that give the right. */
  readonly options: RegExp;
  /** Settings files that may give the right: absolute, below the user's folder after `~/`, else below the workspace. */
  readonly settings: readonly string[];
  /** Keys in the settings that give the right. */
  readonly keys: readonly string[];
}

/** Check whether a tool may write in an unattended run. */
export function checkRights(
  tool: string,
  { options, settings, keys }: RightsSigns,
  words: readonly string[],
  { workspace, home, words: line }: ToolSurroundings,
): readonly Trouble[] {
  if (line.some((word) => options.test(word))) return [];
  const place = (path: string): string =>
    path.startsWith("~/") ? join(home, path.slice(2)) : isAbsolute(path) ? path : join(workspace, path);
  // Unreadable settings may contain anything.
  const mayGive = settings.map(place).some((path) => {
    const set = readToolJson(path);
    return set === undefined || (set !== null && keys.some((key) => Object.hasOwn(set, key)));
  });
  if (mayGive) return [];
  return [
    {
      about: "permissions",
      what: `${tool} may only read: nothing gives it the right to write files or run commands`,
      remedy: "Allow it to write files",
      words,
      certain: false,
    },
  ];
}
