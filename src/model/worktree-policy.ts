import * as z from "zod";
import { option } from "./option.ts";

/**
 * Where members of a batch work.
 *
 * @see docs/attempts.md
 */
export const WorktreePolicy = z.strictObject({
  worktrees: option(
    z.boolean().default(false),
    "gives a right",
    "Members of a batch work each in a worktree of its own, and are merged",
    {
      group: "What it may do",
      flags: "--worktrees",
      opposite: "let members of a batch work in the workspace, beside each other",
      unit: "yes or no",
      summary: "let each member of a batch work in a git worktree of its own, merged when the batch is done",
    },
  ),
  worktreeSetup: option(
    z.string().min(1).nullable().default(null),
    "runs something",
    "Command that sets up a new worktree",
    {
      group: "What it may do",
      flags: "--worktree-setup <command>",
      unit: "text",
      summary: "command that sets up a new worktree, such as npm ci",
      unset: "none",
      shown: "none",
    },
  ),
  worktreeLink: option(
    z.array(z.string().min(1), "expected a list of paths").min(1).nullable().default(null),
    "gives a right",
    "Paths of the workspace that worktrees have as links",
    {
      group: "What it may do",
      flags: "--worktree-link <path>",
      unit: "paths",
      summary:
        "file or folder of the workspace that worktrees share by a link, such as node_modules; repeat it for others",
      repeats: true,
      unset: "none",
      shown: "none",
      mayBeOff: false,
    },
  ),
});
