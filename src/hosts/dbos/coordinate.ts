import { createActs, performAct } from "../../effects/create-effects.ts";
import { createRunMemory } from "../../effects/run-memory.ts";
import type { Effect } from "../../model/effect.ts";
import { FixpointError } from "../../model/errors.ts";
import type { PersonEvent } from "../../model/person-event.ts";
import { readPolicy } from "../../model/policy.ts";
import { attemptOf } from "../../model/reply.ts";
import type { RunRecord } from "../../model/record.ts";
import { NotReported } from "../../ports/executor.ts";
import type { SpecOutcome } from "../../../machines/spec.ts";
import { endRun } from "../../runtime/conclude.ts";
import { type DurableSetup, durableBy } from "../../runtime/durable-by.ts";
import type { Checkouts } from "./checkout.ts";
import { createDesk } from "./desk.ts";
import type { FleetError, FleetJob, FleetMessage, FleetRun, ShownRun } from "./protocol.ts";
import { type Pushed, readSaid, remotePorts } from "./remote-ports.ts";
import { type Left, standingOf } from "./standing.ts";

/** What an engine offers to the coordinator of a run. */
export interface Engine {
  /** Do something once: where the engine holds what came of it, that is answered. */
  step<Result>(act: () => Promise<Result>): Promise<Result>;
  /** The next message to the run; null once the time is over, in milliseconds. */
  receive(timeoutMs: number): Promise<FleetMessage | null>;
  enqueue(id: string, job: FleetJob, made: number): Promise<void>;
  drop(id: string): void;
  /** Show people how the run stands. */
  show(shown: ShownRun): Promise<void>;
}

export interface CoordinatorPlace {
  readonly checkouts: Checkouts;
  /** Absolute folder of this process. */
  readonly folder: string;
}

/** What one step of the engine keeps of a run. */
export interface FleetStep extends Left {
  /** When it was made, in milliseconds since 1970. */
  readonly at: number;
  /** What has happened; none yet where the run waits for a message. */
  readonly records?: readonly RunRecord[];
  /** Why it could not be made, and which jobs were given up: it is made again when a person says so. */
  readonly error?: FleetError;
  readonly failed?: readonly string[];
  /** Where replies are that are too long for their records, by the keys of their attempts. */
  readonly long?: Readonly<Record<string, Pushed>>;
  /** Where the branch stands. */
  readonly branch?: string;
  /** How the run has ended. */
  readonly ended?: { readonly outcome: string; readonly error?: string };
}

/** How long nothing need come, and how often the branch is pushed at most. */
const [dayMs, backMs] = [86_400_000, 10_000];
/** Characters of a reply that its record keeps. */
const inlineReply = 4096;

/** Bring the run of a spec to its outcome, from where its steps have led to. Rejects only with errors of the engine. */
export async function coordinate(id: string, run: FleetRun, engine: Engine, place: CoordinatorPlace): Promise<string> {
  const policy = readPolicy(run.policy);
  const desk = createDesk();
  const standing = standingOf({ id, run, policy, ...place });
  const words: Extract<FleetMessage, { kind: "word" }>[] = [];
  const fences = new Map<string, number>();
  const asked = new Map<string, string | null>();
  const own = new WeakSet<RunRecord>();
  let note: (records: readonly RunRecord[]) => void = () => {};
  let failed: string[] = [];
  let jobs = 0;
  let isLost = false;
  /** Where replies are. */
  const said = new Map<string, Pushed>();
  const memory = createRunMemory({
    store: {
      append: (records) => {
        for (const record of records) own.add(record);
        note(records);
      },
      writeOutput: () => {},
      readOutput: async (key) => {
        const { checkout } = await standing.open();
        const found = said.get(key);
        const read = found === undefined ? null : await readSaid(checkout, found);
        return read?.kind === "execute" ? read.reply.text : "";
      },
    },
  });
  let ports: Promise<Parameters<typeof endRun>[0]> | null = null;
  const open = async () => {
    const { checkout, ports: local } = await standing.open();
    const enqueue: Engine["enqueue"] = (name, job) => engine.enqueue(name, job, jobs++);
    const remote = remotePorts(
      {
        ...{ id, run, checkout, desk, fences, said, stand: standing.stand },
        enqueue: (name, job) => enqueue(name, job, 0),
        drop: (name) => isLost || engine.drop(name),
        onFailed: (name) => void failed.push(name),
      },
      local.shell,
    );
    return { ...local, ...remote, clock: desk.clock, attempts: memory };
  };
  let acts: ReturnType<typeof createActs> | null = null;
  const act = async (effect: Effect, signal: AbortSignal) => {
    for (;;) {
      try {
        acts ??= createActs(await (ports ??= open()));
        return { ...(await performAct(acts, effect, signal)), records: [] };
      } catch (error) {
        if (!(error instanceof NotReported)) throw error;
        await desk.park(signal);
      }
    }
  };
  const show = async (questions: ShownRun["questions"], outcome: string | null = null): Promise<void> => {
    const { documents } = await (ports ??= open());
    const tasks = (await documents.read()).plan.tasks.filter(({ isGroup }) => isGroup !== true);
    const done = tasks.filter((task) => task.done).length;
    const { spec, branch, repo } = run;
    await engine.show({ spec, branch, repo, done, total: tasks.length, questions, outcome, costUsd: memory.state.costUsd });
  };
  const told = (): ShownRun["questions"] => [...asked].map(([key, text]) => ({ task: key, text: text ?? "It waits for you" }));
  const receive = async (): Promise<void> => {
    const until = desk.nextTime();
    const message = await engine.receive(until === null ? dayMs : Math.max(0, until - Date.now()));
    if (message?.kind === "answer") desk.take(message.answer);
    else if (message?.kind === "word") words.push(message);
  };
  /** Make a step; where it fails, wait for a person to have it made again. Null: they have stopped the run. */
  const make = async (name: (at: number) => Promise<Omit<FleetStep, "at">>): Promise<FleetStep | null> => {
    for (;;) {
      let isLive = false;
      const step = await engine.step(async (): Promise<FleetStep> => {
        isLive = true;
        const at = Date.now();
        failed = [];
        try {
          await (ports ??= open());
          const made = await name(at);
          return { at, ...made, ...(await standing.left(at)) };
        } catch (error) {
          if (ports !== null && (await ports.then(() => false, () => true))) ports = null;
          const { code, message, hint } = error instanceof FixpointError ? error : { code: "defect", message: String(error) };
          const told = { code, message, ...(hint !== undefined && { hint }) };
          return { at, error: told, failed };
        }
      });
      if (!isLive) {
        standing.recall(step);
        for (const record of step.records ?? []) memory.apply(record);
        for (const [key, pushed] of Object.entries(step.long ?? {})) said.set(key, pushed);
      }
      for (const job of step.failed ?? []) fences.set(job, (fences.get(job) ?? 0) + 1);
      if (step.error === undefined) return step;
      const { message, hint } = step.error;
      const text = hint === undefined ? message : `${message}. ${hint}`;
      if (isLive) await show([{ task: null, text }]).catch(() => engine.show(blank(run, text)));
      const before = words.length;
      for (let answer = ""; answer !== "retry"; ) {
        await receive();
        answer = words.splice(before).map(decisionIn).at(-1) ?? "";
        if (answer === "stop") return null;
      }
    }
  };
  let making: Promise<{ readonly records: readonly RunRecord[] } | { readonly error: unknown }> | null = null;
  const happen = async (happening: () => Promise<readonly RunRecord[]>): Promise<Omit<FleetStep, "at">> => {
    desk.wake();
    for (const { event, by } of words) void durable.say(event, by);
    making ??= happening().then(
      (records) => ({ records }),
      (error: unknown) => ({ error }),
    );
    const made = await Promise.race([making, desk.atRest().then(() => null)]);
    if (made === null) {
      await show(told());
      return {};
    }
    making = null;
    if ("error" in made) throw made.error;
    const records = made.records.map(shortened);
    const long = records.flatMap((record, at) => {
      if (!own.has(made.records[at] ?? record)) memory.apply(record);
      const key = record.type === "answered" && record.reply?.text === null ? attemptOf(record.key) : null;
      const pushed = key === null ? undefined : said.get(key);
      return key === null || pushed === undefined ? [] : [[key, pushed] as const];
    });
    return { records, ...(long.length > 0 && { long: Object.fromEntries(long) }) };
  };
  let branch = run.expect;
  let backAt = 0;
  const writeBack = async (message: string): Promise<void> => {
    const step = await make(async () => ({ branch: await standing.writeBack(message, branch) }));
    if (step === null) throw new Stopped();
    ({ at: backAt } = step);
    branch = step.branch ?? branch;
  };
  const once: DurableSetup["once"] = async (_at, happening) => {
    for (;;) {
      const step = await make(() => happen(happening));
      words.length = 0;
      if (step === null) throw new Stopped();
      const { records } = step;
      if (records === undefined) {
        await receive();
        continue;
      }
      for (const record of records) if (record.type === "answered") asked.delete(record.key);
      desk.unpark();
      const hasPassed = records.some((record) => record.type === "answered" && record.effect === "recordPass");
      if (hasPassed && step.at - backAt >= backMs) await writeBack("fixpoint: a task is done");
      return records;
    }
  };
  const durable = durableBy({
    ...{ policy: run.policy, once },
    perform: (effect, { signal, record }) => {
      note = record;
      if (effect.name !== "askPerson") return desk.at(act(effect, signal));
      asked.set(effect.key, effect.input.question);
      return null;
    },
  });
  try {
    const outcome = (await durable.done) as SpecOutcome;
    const end = await make(async () => {
      const { ended } = await endRun(await (ports ??= open()), outcome, policy);
      return { ended: { outcome: ended.outcome, ...(ended.error !== undefined && { error: ended.error }) } };
    });
    await writeBack(`fixpoint: ${end?.ended?.outcome}`);
    const { outcome: how = "cancelled", error } = end?.ended ?? {};
    await engine.step(() => show(error === undefined ? [] : [{ task: null, text: error }], how));
    return how;
  } catch (error) {
    isLost = true;
    if (!(error instanceof Stopped)) throw error;
    await engine.step(() => show([], "cancelled").catch(() => engine.show({ ...blank(run, ""), outcome: "cancelled" })));
    return "cancelled";
  } finally {
    standing.close();
  }
}

/** A person has ended the run where it could not go on. */
class Stopped extends Error {}

const blank = ({ spec, branch, repo }: FleetRun, text: string): ShownRun => ({
  ...{ spec, branch, repo, done: 0, total: 0, outcome: null, costUsd: 0 },
  questions: [{ task: null, text }],
});

const decisionIn = ({ event }: { readonly event: PersonEvent }): string => {
  if (event.type === "cancel") return "stop";
  return event.type === "decision.made" ? event.decision : "";
};

/** A record without what is too long to be kept in it. */
const shortened = (record: RunRecord): RunRecord =>
  record.type === "answered" && (record.reply?.text?.length ?? 0) > inlineReply
    ? ({ ...record, reply: { ...record.reply, text: null } } as RunRecord)
    : record;
