import { findPreset, presets } from "../../../adapters/presets/presets.ts";

export const toolNames: readonly string[] = presets.map(({ name }) => name);

/** Names of the tools that can make their claim as JSON in a fixed schema. */
export const claimants: readonly string[] = presets
  .filter(({ claimWords }) => claimWords !== undefined)
  .map(({ name }) => name);

/**
 * Look up the name of a known tool, ignoring case.
 *
 * @throws {InputError} `preset-unknown`
 */
export const toolNamed = (text: string): string => findPreset(text).name;
