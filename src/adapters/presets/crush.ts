import type { Preset } from "./preset.ts";

/** Crush. */
export const crush: Preset = { name: "crush", command: "crush run --quiet" };
