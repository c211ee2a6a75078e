import type { EffectPerformer, StepResult } from "./effect-performer.ts";
import { type FleetError, type FleetMessage, fleetErrorOf, type ShownRun } from "./protocol.ts";
import type { RunWorkspace } from "./run-workspace.ts";

/** Stored result of one step of a run; without records if the run waits for a message. */
export interface FleetStep extends StepResult {
  /** Time of the step, in milliseconds since 1970. */
  readonly at: number;
  /** The error with which the step failed; the step is repeated after `retry`. */
  readonly error?: FleetError;
  /** Jobs given up in this step; a job that is repeated gets a new id. */
  readonly failed?: readonly string[];
  readonly branch?: string;
}

/** The action of a step. @param at Time of the step, in milliseconds since 1970. */
type Act = (at: number) => Promise<Omit<FleetStep, "at">>;

export type Word = Extract<FleetMessage, { readonly kind: "word" }>;

/** Thrown when a person stops a run that waits for a retry. */
export class Stopped extends Error {}

interface Failures {
  /** Number of times that each job was given up, by its name. */
  readonly fences: ReadonlyMap<string, number>;
  add(name: string, error: unknown): void;
  giveUp(names: readonly string[]): void;
  /** Give up all failed jobs. @returns Their names. */
  giveUpFailed(): string[];
  /** Ignore the error of each failed job once. @param but An error that is not ignored. */
  settle(but?: unknown): void;
  /** Call `act` again after each ignored error. */
  past<Result>(act: () => Promise<Result>): Promise<Result>;
}

export function createFailures(): Failures {
  const fences = new Map<string, number>();
  const failed = new Map<string, unknown>();
  /** Errors that a person has seen, or that a retry has made obsolete: each is ignored once. */
  const settled = new Set<unknown>();
  const giveUp = (names: readonly string[]): void => {
    for (const name of names) fences.set(name, (fences.get(name) ?? 0) + 1);
  };
  return {
    ...{ fences, giveUp },
    add: (name, error) => void failed.set(name, error),
    giveUpFailed: () => {
      const names = [...failed.keys()];
      failed.clear();
      giveUp(names);
      return names;
    },
    settle: (but) => {
      for (const error of failed.values()) if (error !== but) settled.add(error);
    },
    past: async (act) => {
      for (;;) {
        try {
          return await act();
        } catch (error) {
          if (!settled.delete(error)) throw error;
        }
      }
    },
  };
}

interface StepsPlace {
  readonly step: <Result>(act: () => Promise<Result>) => Promise<Result>;
  readonly standing: Pick<RunWorkspace, "left">;
  readonly workshop: Pick<EffectPerformer, "open" | "recall">;
  readonly failures: Failures;
  /** Messages that no step has recorded yet. */
  readonly words: Word[];
  readonly receive: () => Promise<void>;
  readonly ask: (questions: ShownRun["questions"]) => Promise<void>;
}

interface Steps {
  /** Run an action as a step of the engine. The step never fails: an error is part of its result. */
  once(act: Act, isRetry?: boolean): Promise<FleetStep>;
  /** Make a step; after a failure, wait until a person answers `retry`. @throws {Stopped} if the answer is `stop`. */
  make(act: Act): Promise<FleetStep>;
  /** Await a promise of the engine, and note its failure: if the engine fails, another process resumes the run. */
  byEngine<Result>(given: Promise<Result>): Promise<Result>;
  isOver(): boolean;
}

export function openSteps({ step, standing, workshop, failures, words, receive, ask }: StepsPlace): Steps {
  let isOver = false;
  /** Number of steps begun, the same after a replay. */
  let begun = 0;
  const question = (): string => `step ${begun}`;
  const byEngine: Steps["byEngine"] = (given) =>
    given.catch((error: unknown) => {
      isOver = true;
      throw error;
    });
  const once = async (act: Act, isRetry = false): Promise<FleetStep> => {
    let isLive = false;
    begun += 1;
    const making = async (): Promise<FleetStep> => {
      isLive = true;
      const at = Date.now();
      if (isRetry) failures.settle();
      const before = failures.giveUpFailed();
      try {
        await workshop.open();
        const made = await failures.past(() => act(at));
        return { at, ...made, ...(await standing.left(at)), ...(before.length > 0 && { failed: before }) };
      } catch (thrown) {
        const error = fleetErrorOf(thrown);
        await ask([{ key: question(), task: null, text: [error.message, error.hint ?? []].flat().join(". ") }]);
        failures.settle(thrown);
        return { at, error, failed: [...before, ...failures.giveUpFailed()] };
      }
    };
    const kept = await byEngine(step(making));
    if (isLive) return kept;
    workshop.recall(kept);
    failures.giveUp(kept.failed ?? []);
    return kept;
  };
  const make = async (act: Act): Promise<FleetStep> => {
    for (let isRetry = false; ; isRetry = true) {
      const made = await once(act, isRetry);
      if (made.error === undefined) return made;
      for (let answer = ""; answer !== "retry"; ) {
        const before = words.length;
        await receive();
        answer = words.slice(before).map((word) => answerIn(word, question()))[0] ?? "";
        if (answer === "stop") throw new Stopped();
        // Remove the messages of this `receive`; earlier messages stay for the next step.
        if (answer === "retry") words.splice(before);
      }
    }
  };
  return { once, make, byEngine, isOver: () => isOver };
}

/** Decision by which a message answers `question`; empty if the message does not answer it. */
const answerIn = ({ event, to }: Word, question: string): string => {
  if (event.type === "cancel") return "stop";
  return event.type === "decision.made" && to === question ? event.decision : "";
};
