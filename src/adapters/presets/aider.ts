import type { Preset } from "./preset.ts";

/** Aider. */
export const aider: Preset = {
  name: "aider",
  command: "aider --message-file /dev/stdin --yes-always --no-pretty",
};
