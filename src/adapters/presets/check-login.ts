import { isAbsolute, join } from "node:path";
import { isThere } from "./tool-file.ts";
import type { ToolSurroundings, Trouble } from "./tool-surroundings.ts";

/** Where a tool finds that its user is logged in. */
export interface LoginSigns {
  /** As the trouble names it. */
  readonly tool: string;
  /** Variables of which one is enough. */
  readonly env: readonly string[];
  /** Files of which one is enough: absolute, or from the user's folder. */
  readonly files: readonly string[];
  /** What is to be done. */
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
  const what = `${tool} does not look logged in: ${env.join(", ")} are not set, and ${files.join(", ")} are not there`;
  return [{ about: "login", what, remedy, certain: false }];
}
