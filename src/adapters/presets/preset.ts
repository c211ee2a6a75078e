import { InputError } from "../../model/errors.ts";
import type { Claim, DeniedAct, PermissionLevel, ServiceProblem, Usage } from "../../model/reply.ts";
import type { WorkProgress } from "../../ports/executor.ts";
import type { StreamEvent } from "./output/stream-event.ts";
import type { LoginSigns, RightsSigns, ToolEnvironment, Trouble } from "./setup/tool-environment.ts";

export interface ToolStream {
  /**
   * Whether an event says that the tool waits for its service without limit. If so, the tool is ended and the run waits
   * instead.
   */
  readonly waits?: (event: StreamEvent) => boolean;
  /** If missing, the whole stdout is the final message. */
  readonly openReader?: (options?: ReaderOptions) => StreamReader;
  /** Reads progress from the events while the tool works: its last act, and the tokens so far. */
  readonly openWatch?: () => WorkWatch;
}

export interface Preset extends ToolStream {
  readonly name: string;
  /**
   * The tool's command line, with the prompt on stdin, without questions and extra permissions, and with events on
   * stdout if the tool prints them.
   */
  readonly command: string;
  /** Additions to the command line if a person gives the tool rights. */
  readonly rights: ToolRights;
  /** Signs that the user is logged in to the tool; missing if unknown. */
  readonly login?: LoginSigns;
  /**
   * Find problems that would keep the tool from working here, from the tool's files and the environment. Replaces
   * `login`. Starts and writes nothing.
   */
  readonly checkFirst?: (surroundings: ToolEnvironment) => readonly Trouble[];
  /**
   * Signs that the tool, which normally asks a person first, may write without asking. Missing if the tool never asks,
   * or if the signs are unknown.
   */
  readonly asksFirst?: RightsSigns;
  /**
   * Words of the command line that request a claim as JSON in a fixed schema; missing if the tool has no such option.
   */
  readonly claimWords?: (schema: SchemaSource) => readonly string[];
}

/** Returns the progress in an event; null if there is none. */
export type WorkWatch = (event: StreamEvent) => WorkProgress | null;

export interface ReaderOptions {
  /** Whether the tool was asked for a claim as JSON in a fixed schema. */
  readonly structuredClaim: boolean;
}

export interface SchemaSource {
  readonly json: () => string;
  readonly file: () => string;
}

/** Reads a tool's output, event by event. Holds little more than the final message. */
export interface StreamReader {
  /** Ignores events of an unknown type. */
  see(event: StreamEvent): void;
  /** Call this even without an event: the exit code or stderr may give the reason. */
  end(how: StreamEnd): StreamReading;
}

interface StreamEnd {
  readonly exitCode: number;
  readonly stderr: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface StreamReading {
  /**
   * The final message, or the last message of an interrupted stream. After a turn that ended in an error, only the
   * error, in one line. Null if there is neither a message nor an error.
   */
  readonly text: string | null;
  /** Lacks the fields that the tool does not report. */
  readonly usage: Usage;
  readonly problem: ServiceProblem | null;
  /** Acts that the tool denied its agent (none by default). */
  readonly denials?: readonly DeniedAct[];
  readonly claim?: Claim;
}

export interface Rights {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool that cannot be restricted to a level. */
interface NotHeld {
  /** What the tool does despite the level, as a clause. */
  readonly why: string;
  /** The most similar flags of the tool; null if it has none. */
  readonly instead: string | null;
}

interface ToolRights {
  /**
   * Allows workspace files, exactly these commands, `git add` and `git commit`, and no other command. Omits commands
   * that the tool cannot express exactly.
   */
  readonly edit: ((commands: readonly string[]) => Rights) | NotHeld;
  readonly full: Rights;
}

export const noRights: Rights = { args: [] };

/**
 * @param commands Commands that `edit` allows.
 * @throws {InputError} `permissions-not-held`
 */
export function rightsOf(
  { name, rights: { edit, full } }: { readonly name: string; readonly rights: ToolRights },
  level: PermissionLevel,
  commands: readonly string[],
): Rights {
  if (level === "tool") return noRights;
  if (level === "full") return full;
  if (typeof edit === "function") return edit(commands);
  const instead = edit.instead === null ? [] : ["--executor-args", `${name}: ${edit.instead}`];
  throw new InputError(`Cannot restrict ${name} to --permissions edit: ${edit.why}`, {
    code: "permissions-not-held",
    ways: [
      {
        say: `Leave permissions to ${instead.length === 0 ? "the tool's own settings" : "the tool's own flags"}`,
        words: ["--permissions", "tool", ...instead],
      },
      { say: "Or allow the tool to do everything", words: ["--permissions", "full"] },
    ],
  });
}

/** Maximum characters of arguments that name commands: systems limit the length of all arguments. */
const maxNamed = 64 * 1024;

function thatFit(commands: readonly string[]): string[] {
  let length = 0;
  return commands.filter((command) => {
    length += command.length;
    return length <= maxNamed;
  });
}

/**
 * Make the rights of Claude Code to edit workspace files and run commands, with one rule per command. A star in a rule
 * matches anything, so commands with a star get no rule.
 */
export function claudeEdit(commands: readonly string[]): Rights {
  const named = thatFit(commands.filter((command) => !command.includes("*"))).map((command) =>
    command.replace(/[\\()]/g, "\\$&"),
  );
  const rules = ["git add:*", "git commit:*", ...named].map((rule) => `Bash(${rule})`);
  return { args: ["--permission-mode", "acceptEdits", "--allowedTools", ...rules] };
}

/**
 * Permission rules of OpenCode. A later rule overrides an earlier rule, and each part of a compound command is checked.
 */
export const opencodeRules = (commands: readonly string[]) => ({
  "*": "deny",
  ...Object.fromEntries(
    ["read", "list", "glob", "grep", "edit", "todoread", "todowrite"].map((tool) => [tool, "allow"] as const),
  ),
  bash: Object.fromEntries([
    ["*", "deny"],
    ...["git add *", "git commit *", ...thatFit(commands.filter((command) => !/[*?]/.test(command)))].map((command) => [
      command,
      "allow",
    ]),
    // Deny redirections, with which the rules above would allow writing anywhere.
    ...["git add *>*", "git commit *>*"].map((command) => [command, "deny"]),
  ]),
});
