import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Settings } from "../options/settings.ts";

/** What a config file says, as it is written there. */
export type WrittenConfig = Readonly<Record<string, unknown>>;

/** What a config file says; it was read as settings before. */
export const readWritten = (path: string): WrittenConfig =>
  JSON.parse(readFileSync(path, "utf8").replace(/^\ufeff/, "")) as WrittenConfig;

/** Settings without durations, as a config file has them. */
export function asWritten({ policy, ladder, executor, ...others }: Settings): WrittenConfig {
  const [only, ...more] = executor ?? [];
  const who = only === undefined ? {} : { executor: more.length === 0 ? only : executor };
  const all = { ...who, ...others, ...policy, ...ladder };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** A key of a config file whose value changes; undefined where there is none. */
export interface ConfigChange {
  readonly key: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** What differs between two config files, by key. */
export const changesOf = (before: WrittenConfig, after: WrittenConfig): readonly ConfigChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((key) => ({ key, before: before[key], after: after[key] }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
