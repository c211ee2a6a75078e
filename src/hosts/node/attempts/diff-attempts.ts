import { existsSync } from "node:fs";
import { worktreesIn } from "../../../adapters/user/run-trees.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { InputError } from "../../../model/errors.ts";
import type { AttemptKey } from "../../../model/reply.ts";
import { readAttempts } from "./read-attempts.ts";
import { type AttemptsAsked, treesOf, withSnapshots } from "./snapshots-of.ts";

/**
 * Build a unified diff: from before an attempt to after it, or to now if it is at work in the workspace; or between the
 * results of two attempts. For a key such as `saved#1`: from the content that a restore replaced to the workspace now.
 *
 * @throws {InputError} `attempt-missing`, `attempt-not-kept`
 * @throws {EnvironmentError} `attempts-unknown`
 */
export const diffAttempts = (asked: AttemptsAsked, key: AttemptKey, other?: AttemptKey): Promise<string> =>
  comparing(asked, (diff) => diff(key, other));

/** Compare several attempts of a run, while reading the run only once. */
export function comparing<Found>(
  asked: AttemptsAsked,
  act: (diff: (key: AttemptKey, other?: AttemptKey) => Promise<string>) => Promise<Found>,
): Promise<Found> {
  const recorded = readAttempts(asked.spec, asked.run);
  return withSnapshots(asked, recorded.run, (snapshots) =>
    act(async (key, other) => {
      const begun = recorded.attempts.find((attempt) => attempt.key === key && attempt.left === null)?.found ?? null;
      const trees = (named: AttemptKey) => treesOf(asked, snapshots, named, recorded);
      const text = async (from: string, to: string) =>
        Buffer.from((await snapshots?.diff(from, to)) ?? "", "latin1").toString();
      const isHere = snapshots !== null && !existsSync(worktreesIn(userFolder(asked.spec.folder, asked.folder)));
      if (begun !== null && other === undefined && isHere && (await snapshots.has(begun))) {
        return text(begun, await snapshots.now());
      }
      const { found, left } = await trees(key);
      if (snapshots === null) return "";
      if (other !== undefined) return text(left, (await trees(other)).left);
      if (key.startsWith("saved#")) return text(left, await snapshots.now());
      if (found !== null) return text(found, left);
      throw new InputError(`Cannot show what \`${key}\` changed: the content before it is not kept`, {
        code: "attempt-not-kept",
        hint: `Compare it with another attempt: fixpoint diff ${key} <key>`,
      });
    }),
  );
}
