import { InputError } from "../../../model/errors.ts";
import type { PermissionLevel } from "../../../model/permissions.ts";

/** What a tool is called with beside its command line. */
export interface Rights {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A tool that cannot be held to a level. */
interface NotHeld {
  /** Why, as what it does all the same. */
  readonly why: string;
  /** Flags of its own that come nearest; null where it has none. */
  readonly instead: string | null;
}

/** What a tool is called with to have the rights of a level. */
export interface ToolRights {
  /**
   * Files of the workspace, these commands as they stand, `git add` and `git commit`, and no other command. What the
   * tool cannot be given by name and exactly it is not given.
   */
  readonly edit: ((commands: readonly string[]) => Rights) | NotHeld;
  /** All it can. */
  readonly full: Rights;
}

export const noRights: Rights = { args: [] };

/**
 * What a tool is called with to have the rights of a level.
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

/** Characters of the arguments that name commands: a system takes no longer ones. */
const maxNamed = 64 * 1024;

/** As many of the commands, from the first on, as arguments can name. */
export function thatFit(commands: readonly string[]): string[] {
  let length = 0;
  return commands.filter((command) => {
    length += command.length;
    return length <= maxNamed;
  });
}
