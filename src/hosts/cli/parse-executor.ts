import { findPreset, presets } from "../../adapters/presets/find-preset.ts";
import { InputError } from "../../model/errors.ts";
import { nearestName } from "../../model/nearest-name.ts";

/** Names of the known tools. */
export const executorNames = presets.map(({ name }) => name);

/**
 * The name of a known tool as a person writes it, in any case.
 *
 * @throws {InputError} `preset-unknown`, with the nearest name as hint
 */
export function parseExecutor(text: string): string {
  try {
    return findPreset(text).name;
  } catch (cause) {
    const nearest = nearestName(text.trim(), executorNames);
    if (nearest === undefined || !(cause instanceof InputError)) throw cause;
    throw new InputError(cause.message, { code: cause.code, hint: `Did you mean ${nearest}?`, cause });
  }
}
