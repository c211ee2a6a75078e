import { isAbsolute, join } from "node:path";
import { countOf } from "../../../model/count-of.ts";
import { isThere } from "./tool-file.ts";
import type { ToolSurroundings, Trouble } from "./tool-surroundings.ts";

/** Where a tool looks for the login of its user. */
export interface LoginSigns {
  /** The tool's name in messages. */
  readonly tool: string;
  /** Variables; one of them is enough. */
  readonly env: readonly [string, ...string[]];
  /** Files, absolute or relative to the user's folder; one of them is enough. */
  readonly files: readonly [string, ...string[]];
  /** What to do, as a sentence that begins with a small letter and has no period. */
  readonly remedy: string;
}

/**
 * Check whether anything shows that the user of a tool is logged in. The system's key store is not read, so nothing is
 * certain.
 */
export function checkLogin(
  { tool, env, files, remedy }: LoginSigns,
  { home, env: variables }: ToolSurroundings,
): readonly Trouble[] {
  if (env.some((name) => (variables[name] ?? "") !== "")) return [];
  if (files.some((file) => isThere(isAbsolute(file) ? file : join(home, file)))) return [];
  const others = env.length + files.length - 2;
  const more = others > 0 ? `, nor any of ${countOf(others, "other sign")}` : "";
  const what = `${tool} does not look logged in: neither ${env[0]} nor ${inHome(files[0])} is there${more}`;
  return [{ about: "login", what, remedy, certain: false }];
}

const inHome = (file: string): string => (isAbsolute(file) ? file : `~/${file}`);
