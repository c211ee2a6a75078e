import * as z from "zod";
import { option } from "./option.ts";

/**
 * Settings for worktrees of batch tasks.
 *
 * @see docs/attempts.md
 */
export const WorktreePolicy = z.strictObject({
  worktrees: option(
    z.boolean().default(false),
    "gives a right",
    "Each batch member works in its own worktree, which is merged afterwards",
    {
      group: "What the run may do",
      flags: "--worktrees",
      opposite: "let batch members share the workspace",
      unit: "yes or no",
      summary: "let each batch member work in its own git worktree, merged after the batch",
    },
  ),
  worktreeSetup: option(
    z.string().min(1).nullable().default(null),
    "runs something",
    "Command that sets up a new worktree",
    {
      group: "What the run may do",
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
    "Workspace paths that worktrees share by a link",
    {
      group: "What the run may do",
      flags: "--worktree-link <path>",
      unit: "paths",
      summary:
        "file or folder of the workspace that worktrees share by a link, such as node_modules; repeat the option for others",
      repeats: true,
      unset: "none",
      shown: "none",
      mayBeOff: false,
    },
  ),
});
