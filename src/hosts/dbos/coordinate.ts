import type { SpecOutcome } from "../../../machines/spec.ts";
import type { PersonEvent, QuestionTopic } from "../../model/person-event.ts";
import { readPolicy } from "../../model/policy.ts";
import type { RunRecord } from "../../model/record.ts";
import { endRun } from "../../runtime/conclude.ts";
import { type DurableSetup, durableBy } from "../../runtime/durable-by.ts";
import { hashOf } from "../node/consent/verify-commands.ts";
import type { Checkouts } from "./checkout.ts";
import { createDesk } from "./desk.ts";
import {
  type FleetError,
  type FleetJob,
  type FleetMessage,
  type FleetRun,
  fleetErrorOf,
  type ShownRun,
} from "./protocol.ts";
import { standingOf } from "./standing.ts";
import { type Made, openWorkshop } from "./workshop.ts";

/** What an engine offers to the coordinator of a run. */
export interface Engine {
  /** Do something once: where the engine holds what came of it, that is answered. */
  step<Result>(act: () => Promise<Result>): Promise<Result>;
  /** The next message to the run; null once the time is over, in milliseconds. */
  receive(timeoutMs: number): Promise<FleetMessage | null>;
  /** Put a job into the queue of its executor. @param open How many tasks of the run are open. */
  enqueue(id: string, job: FleetJob, open: number): Promise<void>;
  /** Nobody waits for a job any more. */
  drop(id: string): void;
  /** Show people how the run stands. */
  show(shown: ShownRun): Promise<void>;
}

export interface CoordinatorPlace {
  readonly checkouts: Checkouts;
  /** Absolute folder of this process. */
  readonly folder: string;
}

/** What one step of the engine keeps of a run; no records where the run waits for a message. */
export interface FleetStep extends Made {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** Why it could not be made, and which jobs were given up: it is made again when a person says so. */
  readonly error?: FleetError;
  readonly failed?: readonly string[];
  /** Where the branch stands. */
  readonly branch?: string;
}

type Word = Extract<FleetMessage, { readonly kind: "word" }>;

/** How long nothing need come, and how often the branch is pushed at most. */
const [dayMs, backMs] = [86_400_000, 10_000];

/**
 * Bring the run of a spec to its outcome, from where its steps have led to. Rejects only with errors of the engine.
 *
 * @returns How it has ended.
 */
export async function coordinate(id: string, run: FleetRun, engine: Engine, place: CoordinatorPlace): Promise<string> {
  const policy = readPolicy(run.policy);
  const desk = createDesk();
  const standing = standingOf({ id, run, policy, ...place, counted: desk.counted });
  const words: Word[] = [];
  const fences = new Map<string, number>();
  /** What waits for a person, by the keys of effects. */
  const asked = new Map<string, { readonly task: string; readonly text: string }>();
  /** Jobs that have failed and are not given up yet, with their errors. */
  const failed = new Map<string, unknown>();
  /** Errors that a person need not be asked about any more: their jobs are made again with the next retry. */
  const settled = new Set<unknown>();
  const giveUp = (names: readonly string[]): void => {
    for (const name of names) fences.set(name, (fences.get(name) ?? 0) + 1);
  };
  const giveUpFailed = (): string[] => {
    const names = [...failed.keys()];
    failed.clear();
    giveUp(names);
    return names;
  };
  let isOver = false;
  const workshop = openWorkshop({
    ...{ standing, desk },
    outside: {
      ...{ id, run, desk, fences, stand: standing.stand },
      enqueue: async (name, job) => {
        const { done, total } = await boxes();
        await engine.enqueue(name, job, total - done);
      },
      // Another process may go on with them.
      drop: (name) => isOver || engine.drop(name),
      onFailed: (name, error) => void failed.set(name, error),
    },
  });
  const { memory } = workshop;
  /** Where the engine fails, another process goes on. */
  const byEngine = <Result>(given: Promise<Result>): Promise<Result> =>
    given.catch((error: unknown) => {
      isOver = true;
      throw error;
    });

  const boxes = async (): Promise<Pick<ShownRun, "done" | "total">> => {
    const { documents } = await workshop.open();
    const tasks = (await documents.read()).plan.tasks.filter(({ isGroup }) => isGroup !== true);
    return { done: tasks.filter((task) => task.done).length, total: tasks.length };
  };
  const show = async (questions: ShownRun["questions"], outcome: string | null = null): Promise<void> => {
    const { costUsd } = memory.state;
    await engine.show({ ...blank(run), ...(await boxes()), questions, outcome, costUsd });
  };
  const receive = async (): Promise<void> => {
    const until = desk.nextTime();
    const message = await byEngine(engine.receive(until === null ? dayMs : Math.max(0, until - Date.now())));
    if (message?.kind === "answer") desk.take(message.answer);
    else if (message?.kind === "word") words.push(message);
  };
  /** Do something as a step of the engine, which never fails: what went wrong is in it. */
  const once = async (act: Act, isRetry = false): Promise<FleetStep> => {
    let isLive = false;
    const making = async (): Promise<FleetStep> => {
      isLive = true;
      const at = Date.now();
      if (isRetry) for (const error of failed.values()) settled.add(error);
      const before = giveUpFailed();
      try {
        await workshop.open();
        const made = await pastErrors(settled, () => act(at));
        return { at, ...made, ...(await standing.left(at)), ...(before.length > 0 && { failed: before }) };
      } catch (thrown) {
        const error = fleetErrorOf(thrown);
        const questions = [{ task: null, text: [error.message, error.hint ?? []].flat().join(". ") }];
        await show(questions).catch(() => engine.show({ ...blank(run), questions }));
        for (const other of failed.values()) if (other !== thrown) settled.add(other);
        return { at, error, failed: [...before, ...giveUpFailed()] };
      }
    };
    const step = await byEngine(engine.step(making));
    if (isLive) return step;
    workshop.recall(step);
    giveUp(step.failed ?? []);
    return step;
  };
  /** Make a step; where it fails, wait for a person to have it made again. @throws {Stopped} They have stopped the run. */
  const make = async (act: Act): Promise<FleetStep> => {
    for (let isRetry = false; ; isRetry = true) {
      const step = await once(act, isRetry);
      if (step.error === undefined) return step;
      const before = words.length;
      for (let answer = ""; answer !== "retry"; ) {
        await receive();
        answer = words.splice(before).map(decisionIn).at(-1) ?? "";
        if (answer === "stop") throw new Stopped();
      }
    }
  };

  let happening: Promise<{ readonly records: readonly RunRecord[] } | { readonly error: unknown }> | null = null;
  /** What happens next, or nothing once all that is under way waits for something outside. */
  const happen = async (next: () => Promise<readonly RunRecord[]>): Promise<Omit<FleetStep, "at">> => {
    desk.wake();
    for (const { event, by, task } of words) {
      const to = [...asked].find(([, each]) => each.task === task)?.[0];
      void durable.say(event, by, to);
    }
    // What nobody has waited for is what happens next: a step that waits is not asked again.
    happening ??= next().then(
      (records) => ({ records }),
      (error: unknown) => ({ error }),
    );
    const happened = await Promise.race([happening, desk.atRest().then(() => null)]);
    if (happened === null) {
      await show([...asked.values()]);
      return {};
    }
    happening = null;
    if ("error" in happened) throw happened.error;
    return workshop.keep(happened.records);
  };
  let branch = run.expect;
  let backAt = 0;
  const writeBack = async (message: string): Promise<void> => {
    const step = await make(async () => ({ branch: await standing.writeBack(message, branch) }));
    backAt = step.at;
    branch = step.branch ?? branch;
  };
  const durable = durableBy({
    policy: run.policy,
    once: async (_at, next) => {
      for (;;) {
        const { at, records } = await make(() => happen(next));
        // They were heard in that step, or nobody waits for them.
        words.length = 0;
        if (records === undefined) {
          await receive();
          continue;
        }
        for (const record of records) if (record.type === "answered") asked.delete(record.key);
        desk.unpark();
        if (records.some(isPass) && at - backAt >= backMs) await writeBack("fixpoint: a task is done");
        return records;
      }
    },
    perform: (effect, { signal, record }) => {
      workshop.note = record;
      if (effect.name !== "askPerson") return workshop.perform(effect, signal);
      const { task, about, question } = effect.input;
      asked.set(effect.key, { task, text: question ?? questionsAbout[about] });
      return null;
    },
  } satisfies DurableSetup);

  try {
    const outcome = (await durable.done) as SpecOutcome;
    const [ended] =
      (
        await make(async () => {
          const ports = await workshop.open();
          const { ended: ending, denial } = await endRun(ports, outcome, policy);
          const planHash = hashOf((await ports.documents.read()).text);
          return { records: [{ type: "ended", ending, planHash, denial }] };
        })
      ).records ?? [];
    const { outcome: how, error } = ended?.type === "ended" ? ended.ending : { outcome: "defect", error: undefined };
    await writeBack(`fixpoint: ${how}`);
    await once(async () => {
      await show(error === undefined ? [] : [{ task: null, text: error }], how);
      return {};
    });
    return how;
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    await engine.step(() => engine.show({ ...blank(run), outcome: "cancelled" }));
    return "cancelled";
  } finally {
    standing.close();
  }
}

/** What a step does. @param at When, in milliseconds since 1970. */
type Act = (at: number) => Promise<Omit<FleetStep, "at">>;

/** Act, and once more after each error that is settled. */
async function pastErrors<Result>(settled: Set<unknown>, act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!settled.delete(error)) throw error;
    }
  }
}

/** A person has ended the run where it could not go on. */
class Stopped extends Error {}

const isPass = (record: RunRecord): boolean => record.type === "answered" && record.effect === "recordPass";

const blank = ({ spec, branch, repo }: FleetRun): ShownRun => {
  return { spec, branch, repo, done: 0, total: 0, questions: [], outcome: null, costUsd: 0 };
};

const decisionIn = ({ event }: { readonly event: PersonEvent }): string => {
  if (event.type === "cancel") return "stop";
  return event.type === "decision.made" ? event.decision : "";
};

/** What is asked where nobody has put it into words. */
const questionsAbout: Readonly<Record<QuestionTopic, string>> = {
  repair: "It could not be repaired: retry, skip or stop?",
  checkpoint: "It is stuck, see the report of the checkpoint: guidance, or stop?",
  blocked: "Its executor asks you something",
  environment: "What fails is the environment: retry once it is put right, or stop?",
  guard: "What proves it was changed: accept, retry or stop?",
};
