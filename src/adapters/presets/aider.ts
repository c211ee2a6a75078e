import type { Preset } from "./preset.ts";
import { noRights } from "./setup/tool-rights.ts";

/** Aider. */
export const aider: Preset = {
  name: "aider",
  command: "aider --message-file /dev/stdin --yes-always --no-pretty",
  // Without a person it runs no command that the agent suggests.
  rights: { edit: () => ({ args: ["--no-suggest-shell-commands"] }), full: noRights },
};
