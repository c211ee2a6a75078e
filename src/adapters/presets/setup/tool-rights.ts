import { InputError } from "../../../model/errors.ts";
import type { PermissionLevel } from "../../../model/permissions.ts";

/** What is added to a tool's command line and environment. */
export interface Rights {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool that cannot be held to a level. */
interface NotHeld {
  /** What it does in spite of the level. */
  readonly why: string;
  /** Its own flags that come nearest; null when it has none. */
  readonly instead: string | null;
}

/** What is added to a tool's call for the rights of a level. */
export interface ToolRights {
  /**
   * Files of the workspace, exactly these commands, `git add` and `git commit`, and no other command. A command that
   * the tool cannot be given exactly is left out.
   */
  readonly edit: ((commands: readonly string[]) => Rights) | NotHeld;
  /** Everything that the tool can do. */
  readonly full: Rights;
}

export const noRights: Rights = { args: [] };

/**
 * What is added to a tool's call for the rights of a level.
 *
 * @param commands Those that `edit` allows.
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
  throw new InputError(`Cannot hold ${name} to --permissions edit: ${edit.why}`, {
    code: "permissions-not-held",
    ways: [
      {
        say: `Leave it to ${instead.length === 0 ? "the tool's own settings" : "flags of its own"}`,
        words: ["--permissions", "tool", ...instead],
      },
      { say: "Or allow it everything", words: ["--permissions", "full"] },
    ],
  });
}

/** How many characters the arguments that name commands may have, since systems limit them. */
const maxNamed = 64 * 1024;

/** As many of the commands, from the first on, as fit into arguments. */
export function thatFit(commands: readonly string[]): string[] {
  let length = 0;
  return commands.filter((command) => {
    length += command.length;
    return length <= maxNamed;
  });
}
