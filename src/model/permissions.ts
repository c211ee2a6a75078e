import * as z from "zod";

/**
 * What a known tool may do without asking: what its own settings say; write files of the workspace, run the plan's
 * Verify, `git add` and `git commit`, and no other command; or all it can.
 */
export const PermissionLevel = z.enum(["tool", "edit", "full"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** An act that a tool did not allow its agent, as the tool itself reports it. */
export const DeniedAct = z.object({
  /** As the tool names its own, such as `Bash`. */
  tool: z.string(),
  /** The command, the path, or what could not be done at all; one line. */
  act: z.string(),
  /** How a person allows it; not given where that is not known. */
  allow: z.string().optional(),
  /** Words of the command line that allow it; not given where there are none that are known. */
  words: z.array(z.string()).optional(),
});
export type DeniedAct = z.infer<typeof DeniedAct>;

/** Characters of an act that are kept. */
const maxAct = 200;

/** An act as it is reported. @param act Of any length. */
export const deniedAct = (tool: string, act: string): DeniedAct => ({
  tool,
  act: act.replace(/\s+/g, " ").trim().slice(0, maxAct),
});

/**
 * A name that an act keeps when it is tried again in other words: the tool, the program, and the subcommand where there
 * is one.
 */
export function nameOfAct({ tool, act }: DeniedAct): string {
  const [program, subcommand = ""] = act.split(" ");
  return [tool, program, ...(/^[a-z][a-z-]*$/.test(subcommand) ? [subcommand] : [])].join(" ");
}
