import { InputError } from "../../model/errors.ts";
import type { Claim, DeniedAct, PermissionLevel, ServiceProblem, Usage } from "../../model/reply.ts";
import type { WorkProgress } from "../../ports/executor.ts";
import type { StreamEvent } from "./output/stream-event.ts";
import type { LoginSigns, RightsSigns, ToolEnvironment, Trouble } from "./setup/tool-environment.ts";

/** Readers for the output of a tool. */
export interface ToolStream {
  /**
   * Whether an event says that the tool waits for its service without limit. Then the tool is ended, and the run waits
   * instead.
   */
  readonly waits?: (event: StreamEvent) => boolean;
  /** If not given, the whole stdout is the final message. */
  readonly openReader?: (options?: ReaderOptions) => StreamReader;
  /** Reads progress from the events while the tool works: its last act, and the tokens so far. */
  readonly openWatch?: () => WorkWatch;
}

/** Command line of a known tool, and readers for its output. */
export interface Preset extends ToolStream {
  readonly name: string;
  /**
   * The tool's command line: prompt on stdin, no questions, events on stdout if the tool prints them, no permissions.
   */
  readonly command: string;
  /** Additions to the command line if a person gives the tool rights. */
  readonly rights: ToolRights;
  /** Signs that the user is logged in to the tool; not given if unknown. */
  readonly login?: LoginSigns;
  /**
   * Problems that would keep the tool from working here, as far as the tool's files and the environment show; replaces
   * `login`. Starts and writes nothing.
   */
  readonly checkFirst?: (surroundings: ToolEnvironment) => readonly Trouble[];
  /**
   * Signs that a tool which normally asks a person first may write without asking; not given if the tool asks no one,
   * or if the signs are unknown.
   */
  readonly asksFirst?: RightsSigns;
  /** Words of the command line for a claim as JSON in a fixed schema; not given if the tool has no such option. */
  readonly claimWords?: (schema: SchemaSource) => readonly string[];
}

/** The progress that an event shows; null if it shows none. */
export type WorkWatch = (event: StreamEvent) => WorkProgress | null;

export interface ReaderOptions {
  /** Whether the tool was asked for a claim as JSON in a fixed schema. */
  readonly structuredClaim: boolean;
}

/** A JSON schema, in the two forms that tools take. */
export interface SchemaSource {
  readonly json: () => string;
  /** Path of a file with the schema. */
  readonly file: () => string;
}

/** Takes a tool's output, event by event. Holds little more than the final message. */
export interface StreamReader {
  /** An event of an unknown type changes nothing. */
  see(event: StreamEvent): void;
  /** Called even if there was no event: the exit code or stderr may say why. */
  end(how: StreamEnd): StreamReading;
}

/** Exit code and errors of an ended tool. */
interface StreamEnd {
  readonly exitCode: number;
  /** The end of the tool's stderr. */
  readonly stderr: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Result of reading a stream. */
export interface StreamReading {
  /**
   * The final message, or the last message of an interrupted stream. If the turn ended in an error, the error in one
   * line. Null if there is neither a message nor an error.
   */
  readonly text: string | null;
  /** A field that the tool does not report is not given. */
  readonly usage: Usage;
  readonly problem: ServiceProblem | null;
  /** Acts that the tool denied its agent; none if not given. */
  readonly denials?: readonly DeniedAct[];
  /** The claim as JSON in the fixed schema. */
  readonly claim?: Claim;
}

/** Additions to a tool's command line and environment. */
export interface Rights {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool that cannot be restricted to a level. */
interface NotHeld {
  /** The reason, as a clause: what the tool does despite the level. */
  readonly why: string;
  /** The most similar flags of the tool; null if it has none. */
  readonly instead: string | null;
}

/** Additions to a tool's call for the rights of a level. */
interface ToolRights {
  /**
   * Workspace files, exactly these commands, `git add` and `git commit`, and no other command. A command that the tool
   * cannot express exactly is omitted.
   */
  readonly edit: ((commands: readonly string[]) => Rights) | NotHeld;
  /** Everything that the tool can do. */
  readonly full: Rights;
}

export const noRights: Rights = { args: [] };

/**
 * Additions to a tool's call for the rights of a level.
 *
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

/** Maximum length of arguments that name commands, in characters, since systems limit them. */
const maxNamed = 64 * 1024;

/** The first commands that fit into the arguments. */
function thatFit(commands: readonly string[]): string[] {
  let length = 0;
  return commands.filter((command) => {
    length += command.length;
    return length <= maxNamed;
  });
}

/**
 * Rights of Claude Code to edit workspace files and run commands, with one rule per command. A star in a rule matches
 * anything, so commands with a star get no rule.
 */
export function claudeEdit(commands: readonly string[]): Rights {
  const named = thatFit(commands.filter((command) => !command.includes("*"))).map((command) =>
    command.replace(/[\\()]/g, "\\$&"),
  );
  const rules = ["git add:*", "git commit:*", ...named].map((rule) => `Bash(${rule})`);
  return { args: ["--permission-mode", "acceptEdits", "--allowedTools", ...rules] };
}

/**
 * Permission rules of OpenCode: a later rule overrides an earlier one, and each part of a compound command is checked.
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
