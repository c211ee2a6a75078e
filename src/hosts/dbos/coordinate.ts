import type { SpecOutcome } from "../../../machines/spec.ts";
import type { RunMemory } from "../../effects/run-memory.ts";
import type { QuestionTopic } from "../../model/person-event.ts";
import { choiceOf, countDone } from "../../model/plan-parts.ts";
import { readPolicy } from "../../model/policy.ts";
import type { RunRecord } from "../../model/record.ts";
import { endRun } from "../../runtime/conclude.ts";
import { type DurableSetup, durableBy } from "../../runtime/durable-by.ts";
import { hashOf } from "../node/consent/verify-commands.ts";
import type { Checkouts } from "./checkout.ts";
import { createEffectPerformer } from "./effect-performer.ts";
import { createFailures, type FleetStep, openSteps, Stopped, type Word } from "./fleet-steps.ts";
import { trackPendingWork } from "./pending-work.ts";
import type { FleetJob, FleetMessage, FleetRun, ShownQuestion, ShownRun } from "./protocol.ts";
import { runWorkspace } from "./run-workspace.ts";

export interface Engine {
  /** Run a step once; on replay, return the stored result. */
  step<Result>(act: () => Promise<Result>): Promise<Result>;
  /** Wait for the next message to the run; null after `timeoutMs`. */
  receive(timeoutMs: number): Promise<FleetMessage | null>;
  /** Find a job in the queues; null if no queue ever had the job. */
  find(id: string): Promise<FleetJob | null>;
  /** Put a job into the queue of its executor. @param open Number of open tasks of the run. */
  enqueue(id: string, job: FleetJob, open: number): Promise<void>;
  /** Cancel a job whose answer is no longer needed. */
  drop(id: string): void;
  show(shown: ShownRun): Promise<void>;
}

export interface CoordinatorPlace {
  readonly checkouts: Checkouts;
  /** Absolute path of a folder that only this process uses. */
  readonly folder: string;
}

/** Longest wait for a message, and shortest time between two pushes of the branch. */
const [dayMs, backMs] = [86_400_000, 10_000];

/**
 * Run a spec from its recorded steps to its outcome, and return the outcome. Rejects only with errors of the engine.
 */
export async function coordinate(id: string, run: FleetRun, engine: Engine, place: CoordinatorPlace): Promise<string> {
  const policy = readPolicy(run.policy);
  const pending = trackPendingWork();
  const standing = runWorkspace({
    ...{ id, run, policy, ...place, counted: pending.counted },
    needed: () => contentsNeeded(memory),
  });
  const words: Word[] = [];
  const failures = createFailures();
  /** Open questions to a person, by the keys of their effects. */
  const asked = new Map<string, ShownQuestion>();
  const workshop = createEffectPerformer({
    ...{ standing, pending },
    outside: {
      ...{ id, run, pending, fences: failures.fences, stand: standing.stand },
      find: (name) => engine.find(name),
      enqueue: async (name, job) => {
        const { done, total } = await boxes();
        await engine.enqueue(name, job, total - done);
      },
      // If the engine has failed, another process may still need the job.
      drop: (name) => steps.isOver() || engine.drop(name),
      onFailed: failures.add,
    },
  });
  const { memory } = workshop;
  const boxes = async (): Promise<Pick<ShownRun, "done" | "total">> => {
    const { documents } = await workshop.open();
    const { completed: done, total } = countDone((await documents.read()).plan.tasks, choiceOf(policy));
    return { done, total };
  };
  const show = async (questions: ShownRun["questions"], outcome: string | null = null): Promise<void> => {
    const { costUsd } = memory.state;
    await engine.show({ ...blank(run), ...(await boxes()), questions, outcome, costUsd });
  };
  const receive = async (): Promise<void> => {
    const until = pending.nextTime();
    const message = await steps.byEngine(engine.receive(until === null ? dayMs : Math.max(0, until - Date.now())));
    if (message?.kind === "answer") pending.take(message.answer);
    else if (message?.kind === "word") words.push(message);
  };
  const steps = openSteps({
    ...{ standing, workshop, failures, words, receive, step: engine.step },
    ask: (questions) => show(questions).catch(() => engine.show({ ...blank(run), questions })),
  });

  let happening: Promise<{ readonly records: readonly RunRecord[] } | { readonly error: unknown }> | null = null;
  /** Make the next records; none if all pending work waits for a message or a time. */
  const happen = async (next: () => Promise<readonly RunRecord[]>): Promise<Omit<FleetStep, "at">> => {
    pending.wake();
    for (const { event, by, to } of words) void durable.say(event, by, to);
    // Reuse a call of `next` that an earlier step left unfinished.
    happening ??= next().then(
      (records) => ({ records }),
      (error: unknown) => ({ error }),
    );
    const happened = await Promise.race([happening, pending.atRest().then(() => null)]);
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
    const step = await steps.make(async () => ({ branch: await standing.writeBack(message, branch) }));
    backAt = step.at;
    branch = step.branch ?? branch;
  };
  const durable = durableBy({
    policy: run.policy,
    once: async (_at, next) => {
      for (;;) {
        const { at, records } = await steps.make(() => happen(next));
        // The step has recorded the messages that answer an open question; other messages are dropped.
        words.length = 0;
        if (records === undefined) {
          await receive();
          continue;
        }
        for (const record of records) if (record.type === "answered") asked.delete(record.key);
        pending.unpark();
        if (records.some(isPass) && at - backAt >= backMs) await writeBack("fixpoint: a task is done");
        return records;
      }
    },
    perform: (effect, { signal, record }) => {
      workshop.note = record;
      if (effect.name !== "askPerson") return workshop.perform(effect, signal);
      const { task, about, question } = effect.input;
      asked.set(effect.key, { key: effect.key, task, text: question ?? questionsAbout[about] });
      return null;
    },
  } satisfies DurableSetup);

  try {
    const outcome = (await durable.done) as SpecOutcome;
    const [ended] =
      (
        await steps.make(async () => {
          const ports = await workshop.open();
          const { ended: ending, denial } = await endRun(ports, outcome, policy);
          const planHash = hashOf((await ports.documents.read()).text);
          return { records: [{ type: "ended", ending, planHash, denial }] };
        })
      ).records ?? [];
    const { outcome: how, error } = ended?.type === "ended" ? ended.ending : { outcome: "defect", error: undefined };
    await writeBack(`fixpoint: ${how}`);
    await steps.once(async () => {
      await show(error === undefined ? [] : [{ key: "", task: null, text: error }], how);
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

/** Names of the tree snapshots to which the attempts of the current turn are compared. */
const contentsNeeded = ({ state: { turn }, contentBefore }: RunMemory): string[] =>
  [...Object.values(turn.found), ...Object.keys(turn.chosen).map(contentBefore)].filter((name) => name !== null);

const isPass = (record: RunRecord): boolean => record.type === "answered" && record.effect === "recordPass";

const blank = ({ spec, branch, repo }: FleetRun): ShownRun => {
  return { spec, branch, repo, done: 0, total: 0, questions: [], outcome: null, costUsd: 0 };
};

const questionsAbout: Readonly<Record<QuestionTopic, string>> = {
  repair: "The task could not be repaired: retry, skip or stop?",
  checkpoint: "The task is stuck (see the report of the checkpoint): give guidance, or stop?",
  blocked: "The executor has a question",
  environment: "The environment has a problem: retry after fixing it, or stop?",
  guard: "The proof of the task was changed: accept, retry or stop?",
};
