import { createRunMemory, type RunMemory } from "../effects/run-memory.ts";
import { createQueue } from "../model/create-queue.ts";
import type { GateError } from "../model/errors.ts";
import type { RunEnded, RunEvent } from "../model/event.ts";
import type { Plan } from "../model/plan.ts";
import type { Ended } from "../model/record.ts";
import type { AdmittedDelegation } from "../ports/attempt-record.ts";
import type { Documents, OpenPlan } from "../ports/documents.ts";
import type { Journal } from "../ports/journal.ts";
import type { Ports } from "../ports/ports.ts";
import type { Shell } from "../ports/shell.ts";
import { unendedStart } from "../run/previous-start.ts";
import { answeredQuestion, answers, inputAnswer, inputEvents } from "../run/user-input.ts";
import type { Ending } from "./conclude.ts";
import { findManualFixes, renderManualFixes } from "./find-manual-fixes.ts";
import { reconcilePlan, type StartDeps } from "./reconcile-plan.ts";
import { run } from "./run.ts";
import { createRunControl, type RunControl } from "./run-control.ts";
import type { Start, StartOptions } from "./start.ts";

export interface RunNow {
  readonly memory: RunMemory;
}

/** Services of the host that a start needs before it knows whether there is work. */
export interface StartHost extends Pick<StartDeps, "hashOf" | "check" | "askOwner"> {
  readonly journal: (now: RunNow) => Journal;
  /** A monotonic clock, in milliseconds. */
  readonly elapsedMs: () => number;
  readonly workspace: string;
  /** Creates a shell with an empty cache: executors may have installed programs. */
  readonly shell: () => Shell;
  readonly signal: AbortSignal;
  /**
   * Ends processes that a killed start left running.
   *
   * @param calls Keys of the executors of that start.
   */
  readonly endLeftovers: (calls: readonly string[]) => Promise<void>;
  /** Report that a delegation begins, before its executor starts. */
  readonly announceDelegation: (delegation: AdmittedDelegation, iteration: number) => Promise<void>;
  readonly begin: (standing: Beginning) => Promise<Work>;
}

interface Beginning {
  readonly memory: RunMemory;
  readonly plan: Plan;
  readonly midTurn: boolean;
}

export interface Work {
  readonly ports: Omit<Ports, "documents" | "attempts" | "person" | "shell" | "workspace" | "address">;
  readonly ask: Pick<StartOptions, "decide">;
  readonly onEvent: (event: RunEvent) => void;
  readonly show: (plan: Plan) => void;
  /** Error that ends a paused run if no one can resume it. Null or not given: the run waits. */
  readonly endsPaused?: () => GateError | null;
  readonly listen: (control: RunControl) => () => void;
  readonly signal: AbortSignal;
  /** Finish everything at the end of the run. Rejects if not even the end can be reported. */
  readonly leave: (reached: Ending, plan: Plan) => Promise<Leaving>;
  /** Called after the end is recorded; no one is notified before the promise resolves. */
  readonly ended?: (ended: RunEnded) => Promise<void>;
  readonly abandon: () => Promise<void>;
}

interface Leaving extends Ending {
  readonly facts: Pick<Ended, "stateHash" | "by">;
}

/**
 * Bring a run from its current state to its outcome. The start must hold the journal.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`, `boxes-lost`, `ticks-unexplained`
 * @throws {EnvironmentError} if not even the end could be recorded
 */
export async function continueRun(begun: Start, host: StartHost): Promise<RunEnded> {
  const { options, documents, reading, address, emit } = begun;
  const { workspace, signal } = host;
  const startedAt = host.elapsedMs();
  const before = (begun.origin.state ?? begun.origin.seed).elapsedMs;
  const journal = host.journal({
    get memory() {
      return memory;
    },
  });
  const memory: RunMemory = createRunMemory({
    ...(begun.origin.state === null
      ? { open: begun.origin.open, seed: begun.origin.seed }
      : { state: begun.origin.state }),
    elapsedMs: () => before + host.elapsedMs() - startedAt,
    store: journal,
    onAdmit: async (delegation, iteration) => {
      await host.announceDelegation(delegation, iteration);
      views.begin();
    },
    onUnknownUsage: () =>
      emit({
        type: "notice",
        message: "An executor does not report its usage: limits on cost and tokens do not count its work",
      }),
  });
  const origin: Start["origin"] = { ...begun.origin, state: begun.origin.state && memory.state };
  const start = { ...begun, origin };
  if (origin.state !== null) {
    const last = origin.ended?.ending.outcome;
    const mayBeLeft = last === undefined || last === "environment" || unendedStart(reading) !== null;
    if (mayBeLeft) await host.endLeftovers(Object.keys(origin.state.turn.unanswered));
  }
  const look: StartDeps["look"] = (standing, wasChanged) =>
    findManualFixes(start, standing, { memory, shell: host.shell(), workspace, wasChanged }, signal);
  const views = flushViews(documents, memory);
  const deps = { ...host, copy: journal.copy, look };
  const { plan, found, midTurn, records, mending } = await reconcilePlan(start, deps, memory);
  start.announce(found, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  renderManualFixes(mending, memory, emit);
  if (start.limited && origin.ended !== null && mending.mended.length === 0) {
    emit(origin.ended.ending);
    return origin.ended.ending;
  }
  const work = await host.begin({ memory, plan: (await plan.known()).plan, midTurn });
  const heard = options.control ?? createRunControl();
  for (const event of inputEvents(options, origin.past)) heard.send(event, options.speaker);
  const stopListening = work.listen(heard);
  let reached: Ending;
  try {
    reached = await run({
      ports: {
        ...work.ports,
        ...{ documents, plan, workspace, address, attempts: memory, shell: host.shell() },
        person: personPort({ origin, options: { ...options, ...work.ask } }, midTurn),
      },
      ...{ memory, policy: origin.policy, records, midTurn, heard, signal: work.signal, onEvent: work.onEvent },
      refreshViews: async () => work.show((await plan.known()).plan),
      ...(work.endsPaused && { endsPaused: work.endsPaused }),
      ...(options.speaker !== undefined && { speaker: options.speaker }),
      ...(options.inspect !== undefined && { inspect: options.inspect }),
    });
  } catch (error) {
    await work.abandon();
    memory.appendHeld();
    throw error;
  } finally {
    stopListening();
  }
  const left = await plan.known();
  const { ended, denial, settled, facts, ...how } = await work.leave(reached, left.plan);
  const planHash = host.hashOf((await readOr(documents, left)).text);
  // Ignore a failed flush: the next start restores writes that did not reach the disk.
  await views.end().catch(() => {});
  if (settled) {
    memory.record([{ type: "ended", ending: ended, planHash, denial, ...how, ...facts }]);
    await work.ended?.(ended);
  } else memory.appendHeld();
  emit(ended);
  return ended;
}

/** Read the current plan, or return the known plan if the current plan is unreadable. */
async function readOr(documents: Documents, known: OpenPlan): Promise<OpenPlan> {
  try {
    return await documents.read();
  } catch {
    return known;
  }
}

interface ViewFlush {
  /** Begin a flush, unless one is running. No one waits for the flush: the next start restores lost writes. */
  begin(): void;
  /** Flush everything written so far. Rejects if the disk refuses. */
  end(): Promise<void>;
}

/** Flush boxes and log lines while the run continues: they are only views of the journal, which records the passes. */
export function flushViews({ flush }: Pick<Documents, "flush">, memory: RunMemory): ViewFlush {
  let underway: Promise<void> | null = null;
  const flushOnce = async (): Promise<void> => {
    const tasks = Object.keys(memory.state.unflushed);
    if (flush === undefined || tasks.length === 0) return;
    await flush();
    memory.record([{ type: "flushed", tasks }], { hold: true });
  };
  return {
    begin: () => {
      underway ??= flushOnce()
        .catch(() => {})
        .finally(() => {
          underway = null;
        });
    },
    end: async () => {
      await underway;
      await flushOnce();
    },
  };
}

/**
 * Create a port that answers the last question of the previous start with the input of this start. Other questions go
 * to `decide`, unless the run is unattended.
 *
 * @param midTurn Whether the turn of the last question is resumed. If false, guidance and the decision `retry` do not
 * count.
 */
function personPort(
  { options, origin }: Pick<Start, "options" | "origin">,
  midTurn: boolean,
): NonNullable<Ports["person"]> {
  const { past, policy } = origin;
  const asked = answeredQuestion(options, past);
  let words = asked === null ? null : inputAnswer(options, past, midTurn);
  // Ask one question at a time: members of a batch may ask simultaneously.
  const inTurn = createQueue();
  return (question, signal) =>
    inTurn(async () => {
      if (words === null || asked === null || !answers(options, asked, question)) {
        return policy.unattended ? null : ((await options.decide?.(question, signal)) ?? null);
      }
      const said = words;
      words = null;
      return said;
    });
}
