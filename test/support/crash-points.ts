import { describe, expect, it } from "vitest";
import type { TimedRunRecord } from "../../src/model/record.ts";

export const delegationsIn = (records: readonly TimedRunRecord[]) =>
  records.flatMap((record) => (record.type === "delegated" ? [record] : []));

/** Delegations whose answers are not recorded: at most one, but for members of a batch. */
export function unanswered(records: readonly TimedRunRecord[]): number {
  const answered = new Set(records.flatMap((record) => (record.type === "answered" ? [record.key] : [])));
  const keys = delegationsIn(records).map(({ key, role }) =>
    role === "reviewer" || role === "operator" ? key : `${key}/delegate`,
  );
  return new Set(keys.filter((key) => !answered.has(key))).size;
}

/** A run to be killed. */
interface Killable {
  readonly name: string;
  /** Killed twice as well. */
  readonly isTriedTwice?: boolean;
}

/** How it ends without a kill. */
interface Undisturbed {
  /** The moments at which it can be killed. */
  readonly moments: number;
  /** Checks that it ends the same when it is killed at these moments; false where it has ended before the last. */
  readonly survives: (kills: readonly number[]) => Promise<boolean>;
}

/**
 * Tests of runs that are killed, and again while they recover.
 *
 * @param step Every so manieth moment of a kill is tried, each run beginning with another one; all in the campaign `tests`.
 * @param firsts Every so manieth moment of the first of two kills is tried; all in the campaign `tests`.
 * @param stride Every so manieth moment of a second kill is tried; more of them in the campaign `tests`.
 * @param moments Each run has more of them.
 */
export function testKills<Run extends Killable>(
  runs: readonly Run[],
  undisturbed: (run: Run) => Promise<Undisturbed>,
  usual: Readonly<Record<"step" | "firsts" | "stride" | "moments", number>>,
): void {
  const asked = process.env["CRASH_STRIDE"];
  const stride = Number(asked ?? usual.stride);
  const [step, firsts] = asked === undefined ? [usual.step, usual.firsts] : [1, 1];

  describe.each(runs)("$name", (run) => {
    it("I14, I15: ends the same wherever the coordinator is killed", async () => {
      const { survives, moments } = await undisturbed(run);
      expect(moments).toBeGreaterThan(usual.moments);
      for (let kill = runs.indexOf(run) % step; await survives([kill]); kill += step);
    });
  });

  describe.each(runs.filter(({ isTriedTwice }) => isTriedTwice))("$name", (run) => {
    it("I14, I15: ends the same when the coordinator is killed again while it recovers", async () => {
      const { survives, moments } = await undisturbed(run);
      for (let first = runs.indexOf(run) % firsts; first < moments; first += firsts) {
        // Every moment between two that are tried is met after some of the first.
        for (let second = first + (first % stride); await survives([first, second]); second += stride);
      }
    });
  });
}
