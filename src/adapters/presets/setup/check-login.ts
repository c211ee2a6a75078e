import { isAbsolute, join } from "node:path";
import { countOf } from "../../../model/count-of.ts";
import { isThere } from "./tool-file.ts";
import type { ToolSurroundings, Trouble } from "./tool-surroundings.ts";

/** Where a tool finds that its user is logged in. */
export interface LoginSigns {
  /** As the trouble names it. */
  readonly tool: string;
  /** Variables of which one is enough. */
  readonly env: readonly [string, ...string[]];
  /** Files of which one is enough: absolute, or from the user's folder. */
  readonly files: readonly [string, ...string[]];
  /** What is to be done, as a sentence without a period that begins with a small letter. */
  readonly remedy: string;
}

/**
 * Whether anything shows that the user of a tool is logged in. A key store of the system is not looked into, so nothing
 * is certain.
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
