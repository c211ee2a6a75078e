import type { Baseline } from "../model/baseline.ts";
import { type BoxChange, boxesOf, joinBoxes } from "../model/box-change.ts";
import { InvariantError } from "../model/errors.ts";
import { type AttemptKey, taskOf } from "../model/reply.ts";
import type { TaskId } from "../model/task-id.ts";
import type { AttemptRecord, EarlierAttempt } from "../ports/attempt-record.ts";
import { tellVerdict } from "../recover/tell-verdict.ts";

/** What the attempts of a turn have left behind. */
export interface AttemptLog {
  /** An attempt is begun, or begun again: what it began from at first counts. */
  begin(key: AttemptKey, from: Baseline): void;
  /** What an attempt began from; null when it is not known. */
  baseline(key: AttemptKey): Baseline | null;
  /** @param outside Its text is too long to be kept here. */
  keep(key: AttemptKey, record: AttemptRecord, outside: boolean): void;
  /** Add to what is kept; nothing for an attempt that is not. */
  add(key: AttemptKey, more: Partial<AttemptRecord>): void;
  knows(key: AttemptKey): boolean;
  /** Those without a verdict. @param isKept Whether the judgement of one may be counted on. */
  unjudged(isKept: (key: AttemptKey) => boolean): readonly AttemptKey[];
  /** Boxes of these tasks had changed when a start ended before the claim of an attempt was judged. */
  addBoxes(key: AttemptKey, change: BoxChange): void;
  /** A verdict was drawn, which counts all changed boxes: but for those of tasks at work they are put back then. */
  countBoxes(atWork: ReadonlySet<TaskId>): void;
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<AttemptRecord>;
  earlier(key: AttemptKey): Promise<readonly EarlierAttempt[]>;
  findings(task: TaskId): readonly string[];
  clear(): void;
}

/** What an attempt has not come to when its reply is there. */
export const noVerdict = {
  verify: null,
  reality: null,
  judgement: null,
  concluded: null,
  boxes: null,
  review: null,
  refusal: null,
};

/** @param readOutput The text of a reply that is kept outside. */
export function createAttemptLog(readOutput: (key: AttemptKey) => Promise<string>): AttemptLog {
  const attempts = new Map<AttemptKey, AttemptRecord & { outside: boolean }>();
  const baselines = new Map<AttemptKey, Baseline>();
  const recall = async (key: AttemptKey): Promise<AttemptRecord> => {
    const kept = attempts.get(key);
    if (kept === undefined) {
      throw new InvariantError(`Cannot recall attempt \`${key}\`, expected it to have been made in this run`, {
        code: "attempt-unknown",
      });
    }
    const { outside, ...record } = kept;
    return outside ? { ...record, reply: { ...record.reply, text: await readOutput(key) } } : record;
  };
  const ofTask = (task: TaskId): AttemptKey[] => [...attempts.keys()].filter((key) => taskOf(key) === task);
  return {
    begin: (key, from) => {
      if (!baselines.has(key)) baselines.set(key, from);
    },
    baseline: (key) => baselines.get(key) ?? null,
    keep: (key, record, outside) => attempts.set(key, { ...record, outside }),
    add: (key, more) => {
      const before = attempts.get(key);
      if (before !== undefined) attempts.set(key, { ...before, ...more });
    },
    knows: (key) => attempts.has(key),
    unjudged: (isKept) =>
      [...attempts].flatMap(([key, { judgement, concluded }]) =>
        concluded === null && (judgement === null || !isKept(key)) ? [key] : [],
      ),
    addBoxes: (key, change) => {
      const before = attempts.get(key);
      if (before !== undefined) attempts.set(key, { ...before, boxes: joinBoxes(before.boxes, change) });
    },
    countBoxes: (atWork) => {
      for (const [key, attempt] of attempts) {
        if (attempt.boxes !== null) attempts.set(key, { ...attempt, boxes: boxesOf(attempt.boxes, atWork) });
      }
    },
    recall,
    earlier: (key) =>
      Promise.all(
        ofTask(taskOf(key))
          .filter((attempt) => attempt !== key)
          .map(async (attempt) => {
            const { reply, judgement, review, refusal } = await recall(attempt);
            return { attempt, text: reply.text, verdict: tellVerdict({ judgement, review, refusal }) };
          }),
      ),
    findings: (task) =>
      ofTask(task).flatMap((key) => {
        const review = attempts.get(key)?.review ?? null;
        return review === null || review.verdict === "pass" ? [] : [`${review.code}\n${review.spec}`.trim()];
      }),
    clear: () => {
      attempts.clear();
      baselines.clear();
    },
  };
}
