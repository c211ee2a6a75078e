import { createRunMemory, type RunMemory } from "../effects/run-memory.ts";
import type { GateError } from "../model/errors.ts";
import type { RunEnded, RunEvent } from "../model/event.ts";
import type { Plan } from "../model/plan.ts";
import type { Ended } from "../model/record.ts";
import type { AdmittedDelegation } from "../ports/attempt-record.ts";
import type { Documents, OpenPlan } from "../ports/documents.ts";
import type { Journal } from "../ports/journal.ts";
import type { Ports } from "../ports/ports.ts";
import type { Shell } from "../ports/shell.ts";
import { unendedStart } from "../run/run-before.ts";
import { wordsNow } from "../run/words.ts";
import type { Ending } from "./conclude.ts";
import { findMended, tellMending } from "./find-mended.ts";
import { flushViews } from "./flush-views.ts";
import { personPort } from "./person-port.ts";
import { run } from "./run.ts";
import { createRunControl, type RunControl } from "./run-control.ts";
import { type Desk, settlePlan } from "./settle-plan.ts";
import type { Start, StartOptions } from "./start.ts";

/** What a start comes to, at any moment from its first record on. */
export interface RunNow {
  readonly memory: RunMemory;
}

/** What a start needs of its host before it is known whether there is something to do. */
export interface StartHost extends Pick<Desk, "hashOf" | "check" | "askOwner"> {
  /** The journal that the start holds. */
  readonly journal: (now: RunNow) => Journal;
  /** Milliseconds since any fixed moment, whatever the wall clock says. */
  readonly elapsedMs: () => number;
  readonly workspace: string;
  /** A shell that remembers nothing of what executors have made since. */
  readonly shell: () => Shell;
  readonly signal: AbortSignal;
  /** End what a start that was killed has left working. @param calls Keys of its executors. */
  readonly endLeftovers: (calls: readonly string[]) => Promise<void>;
  /** Shows and tells that a delegation begins. Its executor starts after that. */
  readonly tellBegin: (delegation: AdmittedDelegation, iteration: number) => Promise<void>;
  readonly begin: (standing: Beginning) => Promise<Work>;
}

/** Where a start stands when it begins to work. */
interface Beginning {
  readonly memory: RunMemory;
  readonly plan: Plan;
  /** Whether it goes on in the middle of the last turn. */
  readonly midTurn: boolean;
}

/** What a start works with. */
export interface Work {
  readonly ports: Omit<Ports, "documents" | "attempts" | "person" | "shell" | "workspace" | "address">;
  /** Ways to ask a person. */
  readonly ask: Pick<StartOptions, "decide">;
  readonly onEvent: (event: RunEvent) => void;
  /** Show the plan as it stands. */
  readonly show: (plan: Plan) => void;
  /** Why the run ends where it is paused, if nobody can resume it; it waits when this is not given, or gives null. */
  readonly endsPaused?: () => GateError | null;
  /** Listen to people. Answers what ends it. */
  readonly listen: (control: RunControl) => () => void;
  readonly signal: AbortSignal;
  /** Leave everything as the run leaves it. Rejects where not even the end may be told. */
  readonly leave: (reached: Ending, plan: Plan) => Promise<Leaving>;
  /** It has ended so, which is recorded; nobody is told before this resolves. */
  readonly ended?: (ended: RunEnded) => Promise<void>;
  /** The run has failed, and does not tell its end. */
  readonly abandon: () => Promise<void>;
}

/** How a start has ended, with what its host adds to the record of that. */
interface Leaving extends Ending {
  readonly facts: Pick<Ended, "stateHash" | "by">;
}

/**
 * Bring a run to its outcome from where it is, holding its journal.
 *
 * @throws {InputError} `plan-changed`, `plan-refused`, `boxes-lost`, `ticks-unexplained`
 * @throws {EnvironmentError} when not even the end could be recorded
 */
export async function goOn(begun: Start, host: StartHost): Promise<RunEnded> {
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
      await host.tellBegin(delegation, iteration);
      views.begin();
    },
    onUnknownUsage: () =>
      emit({
        type: "notice",
        message: "An executor does not report its usage: limits on cost and tokens do not count it",
      }),
  });
  const origin: Start["origin"] = { ...begun.origin, state: begun.origin.state && memory.state };
  const start = { ...begun, origin };
  if (origin.state !== null) {
    const last = origin.ended?.ending.outcome;
    const mayBeLeft = last === undefined || last === "environment" || unendedStart(reading) !== null;
    if (mayBeLeft) await host.endLeftovers(Object.keys(origin.state.turn.unanswered));
  }
  const look: Desk["look"] = (standing, wasChanged) =>
    findMended(start, standing, { memory, shell: host.shell(), workspace, wasChanged }, signal);
  const views = flushViews(documents, memory);
  const desk = { ...host, copy: journal.copy, look };
  const { plan, found, midTurn, records, mending } = await settlePlan(start, desk, memory);
  start.announce(found, [...memory.skipped().keys(), ...memory.superseded().keys()]);
  tellMending(mending, memory, emit);
  if (start.limited && origin.ended !== null && mending.mended.length === 0) {
    emit(origin.ended.ending);
    return origin.ended.ending;
  }
  const work = await host.begin({ memory, plan: (await plan.known()).plan, midTurn });
  const heard = options.control ?? createRunControl();
  for (const event of wordsNow(options, origin.past)) heard.send(event, options.speaker);
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
  // The next start restores what does not get to the disk.
  await views.end().catch(() => {});
  if (settled) {
    memory.record([{ type: "ended", ending: ended, planHash, denial, ...how, ...facts }]);
    await work.ended?.(ended);
  } else memory.appendHeld();
  emit(ended);
  return ended;
}

/** The plan as it is, or as it was known when it cannot be read any more: the run has ended for that reason. */
async function readOr(documents: Documents, known: OpenPlan): Promise<OpenPlan> {
  try {
    return await documents.read();
  } catch {
    return known;
  }
}
