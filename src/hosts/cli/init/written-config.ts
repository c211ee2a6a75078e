import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../options/settings.ts";

/** The JSON of a config file, not interpreted. */
export type WrittenConfig = Readonly<Record<string, unknown>>;

/** Read a config file that has been validated before. */
export const readWritten = (path: string): WrittenConfig =>
  JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, "")) as WrittenConfig;

/** Convert settings to the form of a config file. Durations are not supported. */
export function asWritten({ policy, ladder, executor, ...others }: Settings): WrittenConfig {
  const [only, ...more] = executor ?? [];
  const who = only === undefined ? {} : { executor: more.length === 0 ? only : executor };
  const all = { ...who, ...others, ...policy, ...ladder };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A changed key of a config file; `before` or `after` is undefined if the key is absent there. */
export interface ConfigChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** List the differences between two config files by key. */
export const changesOf = (before: WrittenConfig, after: WrittenConfig): readonly ConfigChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, before: before[key], after: after[key] }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
