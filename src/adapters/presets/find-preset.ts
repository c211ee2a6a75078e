import { InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/nearest-name.ts";
import { aider } from "./aider.ts";
import { amp } from "./amp.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { crush } from "./crush.ts";
import { cursor } from "./cursor.ts";
import { droid } from "./droid.ts";
import { gemini } from "./gemini.ts";
import { goose } from "./goose.ts";
import { opencode } from "./opencode.ts";
import type { Preset } from "./preset.ts";
import { qwen } from "./qwen.ts";

/** Every known tool. */
export const presets: readonly Preset[] = [
  claude,
  codex,
  gemini,
  opencode,
  amp,
  cursor,
  qwen,
  copilot,
  droid,
  goose,
  aider,
  crush,
];

/**
 * The preset of a tool.
 *
 * @param name In any case, such as `claude`.
 * @throws {InputError} `preset-unknown`
 */
export function findPreset(name: string): Preset {
  const preset = presets.find((each) => each.name === name.trim().toLowerCase());
  if (preset !== undefined) return preset;
  const names = presets.map((each) => each.name);
  const nearest = nearestName(name.trim(), names);
  throw new InputError(`Cannot use executor \`${name}\`, expected one of ${names.join(", ")}`, {
    code: "preset-unknown",
    hint: nearest === undefined ? "Give any other program as a command line with --exec" : `Did you mean ${nearest}?`,
  });
}
