import { homedir } from "node:os";
import { splitCommand } from "../../../model/split-command.ts";

/** Where a tool would be started. */
export interface ToolSurroundings {
  /** Absolute folder in which it would work. */
  readonly workspace: string;
  /** Absolute folder of the user. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The words of its command line, the program first. */
  readonly words: readonly string[];
}

/** Something that would keep a tool from working. */
export interface Trouble {
  readonly about: "trust" | "login" | "permissions";
  /** What would fail, and why, in one sentence without a period. */
  readonly what: string;
  /** What mends it: what a person has to do, or what the options do that mend it. */
  readonly remedy: string;
  /** Those options, as words of the command line; not given when no option mends it. */
  readonly words?: readonly string[];
  /** Whether the tool certainly refuses, so that a run does not begin with it; else its files only suggest it. */
  readonly certain: boolean;
}

/**
 * The surroundings of a tool that this process would start.
 *
 * @param command The tool's command line.
 * @throws {InputError} `command-unreadable`
 */
export const surroundingsOf = (command: string, workspace: string): ToolSurroundings => ({
  workspace,
  home: process.env["HOME"] || homedir(),
  env: process.env,
  words: splitCommand(command),
});
