import { findPreset, presets } from "../../../adapters/presets/presets.ts";

/** Names of the tools that fixpoint knows as executors. */
export const toolNames: readonly string[] = presets.map(({ name }) => name);

/** Names of those that can claim in the form of a schema. */
export const claimants: readonly string[] = presets
  .filter(({ claimWords }) => claimWords !== undefined)
  .map(({ name }) => name);

/**
 * The name of a known tool as a person writes it, in any case.
 *
 * @throws {InputError} `preset-unknown`
 */
export const toolNamed = (text: string): string => findPreset(text).name;
