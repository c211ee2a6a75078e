import type { Directive, Repair } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import { calm, type Escalation, type Level } from "../model/escalation.ts";
import type { FailureDigest, FailureLeft } from "../model/failure.ts";
import { partsOf } from "../model/ledger.ts";
import { partNumber, wholeOf } from "../model/part-id.ts";
import type { TaskId } from "../model/task-id.ts";
import { budgetHolder } from "../recover/repairs-left.ts";
import {
  afresh,
  afterAcceptance,
  afterClimb,
  afterFailure,
  afterPass,
  afterProgress,
  isNewMinimum,
} from "../recover/track-escalation.ts";
import type { RunTally } from "./run-tally.ts";

/** What is known of the ladders of planned tasks, as plain JSON. */
export interface KeptLadders {
  readonly escalations: ByTask<Escalation>;
  readonly advice: ByTask<string>;
  readonly skips: ByTask<string>;
  readonly reported: ByTask<string>;
  readonly repairs: ByTask<readonly Repair[]>;
}

/** In their order, which an object does not keep. */
type ByTask<Value> = readonly (readonly [TaskId, Value])[];

/** How far up their ladders the planned tasks of a run are, and what people have said about them. */
export interface LadderBook {
  /** A delegation begins at a level of being stuck. */
  climb(task: TaskId, level: Level): void;
  /** A delegation has spent no attempt: the next one is not another at its level. */
  spare(task: TaskId): void;
  /** @param failure Null when its claim was rejected. */
  fail(task: TaskId, failure: FailureDigest | null): void;
  /** A claim was accepted. @param left What still fails; null when nothing is known to. */
  accept(task: TaskId, left: FailureLeft | null): void;
  pass(task: TaskId): void;
  direct(task: TaskId, directive: Directive): void;
  /** A person lets a planned task begin anew. */
  beginAnew(root: TaskId): void;
  /** What a person has answered about a planned task, or that nobody has. */
  answer(root: TaskId, answer: Answer<"askPerson">): void;
  /** Directives of the repair operator for the tree that a task is in, oldest first. */
  repairs(task: TaskId): readonly Repair[];
  advise(root: TaskId, text: string): void;
  /** @param justification Null: it is not left out any more. */
  skip(root: TaskId, justification: string | null): void;
  /** How far up its ladder the tree is that a task is in. */
  escalation(task: TaskId): Escalation;
  guidance(root: TaskId): string | null;
  skipped(): ReadonlyMap<TaskId, string>;
  /** What a part of a decomposed task is to do; null for what is none. */
  part(task: TaskId): string | null;
  /** A checkpoint was reached, and its report written. */
  report(task: TaskId, path: string): void;
  /** Where the reports of planned tasks were written to in this run. */
  reported(): ReadonlyMap<TaskId, string>;
  /** The planned task whose tree a task is in. */
  rootOf(task: TaskId): TaskId;
  /** Of turns that are over. */
  kept(): KeptLadders;
  /** Go on from there. */
  take(kept: KeptLadders): void;
  beginTurn(): void;
}

/** @param tally Counts directives, and knows which fix was made for what. */
export function createLadderBook(tally: RunTally): LadderBook {
  const escalations = new Map<TaskId, Escalation>();
  const advice = new Map<TaskId, string>();
  const skips = new Map<TaskId, string>();
  const reported = new Map<TaskId, string>();
  const repairs = new Map<TaskId, readonly Repair[]>();
  const unspent = new Set<TaskId>();
  const { rootOf } = tally;
  const escalation = (root: TaskId): Escalation => escalations.get(root) ?? calm;
  const change = (task: TaskId, move: (before: Escalation) => Escalation): void => {
    const root = rootOf(task);
    escalations.set(root, move(escalation(root)));
  };
  const beginAnew = (root: TaskId): void => {
    tally.forgive(root);
    repairs.delete(root);
    change(root, afresh);
  };
  return {
    climb: (task, level) => {
      const isRepeated = unspent.delete(rootOf(task)) && escalation(rootOf(task)).level === level;
      if (level !== "normal" && !isRepeated) change(task, (before) => afterClimb(before, level, null));
    },
    spare: (task) => unspent.add(rootOf(task)),
    fail: (task, failure) => {
      change(task, (before) => afterFailure(before, task, failure));
      if (failure !== null && isNewMinimum(escalation(rootOf(task)))) tally.startOver(rootOf(task));
    },
    accept: (task, left) => {
      if (!escalations.has(rootOf(task))) return;
      change(task, (before) => afterAcceptance(before, left));
      if (left !== null && isNewMinimum(escalation(rootOf(task)))) tally.startOver(rootOf(task));
    },
    pass: (task) => {
      // A planned task that is done has all again when somebody opens it anew.
      if (rootOf(task) === task) {
        escalations.delete(task);
        repairs.delete(task);
      } else change(task, wholeOf(task) === null ? afterProgress : afterPass);
    },
    answer: (root, answer) => {
      if (answer.kind === "gate") change(root, (before) => ({ ...before, asked: true }));
      if (answer.kind === "guided" && answer.text !== "") advice.set(root, answer.text);
      if (answer.kind === "guided" || (answer.kind === "decided" && answer.decision === "retry")) beginAnew(root);
    },
    repairs: (task) => repairs.get(rootOf(task)) ?? [],
    direct: (task, directive) => {
      const root = rootOf(task);
      repairs.set(root, [...(repairs.get(root) ?? []), { task, directive }]);
      if (directive.strategy !== "retry" && directive.strategy !== "decompose") return;
      const holder = budgetHolder(rootOf(task), task);
      tally.spend(holder, ({ repairs = 0 }) => ({ repairs: repairs + 1 }));
      if (directive.strategy === "decompose") tally.spend(task, () => ({ parts: directive.parts }));
    },
    beginAnew,
    advise: (root, text) => advice.set(root, text),
    skip: (root, justification) => {
      if (justification === null) skips.delete(root);
      else skips.set(root, justification);
    },
    escalation: (task) => escalation(rootOf(task)),
    guidance: (root) => advice.get(root) || null,
    skipped: () => skips,
    part: (task) => {
      const whole = wholeOf(task);
      return whole === null ? null : (partsOf(tally.ledger.tasks, whole)[partNumber(task) - 1] ?? null);
    },
    report: (task, path) => {
      change(task, (before) => afterClimb(before, "checkpoint", null));
      reported.set(rootOf(task), path);
    },
    reported: () => reported,
    rootOf,
    kept: () => ({
      escalations: [...escalations],
      advice: [...advice],
      skips: [...skips],
      reported: [...reported],
      repairs: [...repairs],
    }),
    take: (kept) => {
      for (const [root, known] of kept.escalations) escalations.set(root, known);
      for (const [root, text] of kept.advice) advice.set(root, text);
      for (const [root, justification] of kept.skips) skips.set(root, justification);
      for (const [root, path] of kept.reported) reported.set(root, path);
      for (const [root, made] of kept.repairs) repairs.set(root, made);
    },
    beginTurn: () => unspent.clear(),
  };
}
