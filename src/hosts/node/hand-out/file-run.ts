import { setTimeout } from "node:timers/promises";
import { refused } from "../../../adapters/files/refused.ts";
import { readJournal } from "../../../adapters/journal/read-journal.ts";
import {
  type HandedOutStore,
  type HandedWork,
  handedOutStore,
  hashOfNonce,
} from "../../../adapters/user/handed-out.ts";
import { findCaller, takerOf } from "../../../adapters/user/speaker.ts";
import { userFolder } from "../../../adapters/user/user-folder.ts";
import { FixpointError, InputError } from "../../../model/errors.ts";
import type { RunEvent, TimedRunEvent } from "../../../model/event.ts";
import { policyOver, readPolicy } from "../../../model/policy.ts";
import type { RunRecord } from "../../../model/record.ts";
import type { Reply } from "../../../model/reply.ts";
import type { RunState } from "../../../model/run-state.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import { hashOf } from "../consent/verify-commands.ts";
import { findSpec, type SpecFolder } from "../find-spec.ts";
import { readPlanText } from "../reading/read-plan-file.ts";
import type { RunOptions } from "../run-options.ts";
import { startSpec } from "../run-spec.ts";
import type { FoundStart } from "../start/find-start.ts";
import { handOut, stateOf } from "./hand-out.ts";
import { type NextStep, nextOf, questionIn } from "./next-step.ts";
import { type Report, readReport, type Verdict, verdictOf } from "./read-report.ts";

/** Options of a run whose tasks are handed out: the options of `runSpec`, but no executor for the tasks. */
export interface FileRunOptions
  extends Omit<RunOptions, "executors" | "resume" | "control" | "decide" | "pauseAfter" | "workspace"> {
  /** Absolute folder to work in. */
  readonly workspace: string;
  /**
   * Executors of other roles, such as a reviewer or a repair operator. The work of a role without an executor is handed
   * out.
   */
  readonly executors?: Omit<RunOptions["executors"], "executor" | "rungs">;
}

/** Result of a report. */
export interface Reported {
  /** Key of the delegation, `<task id>#<attempt>`. */
  readonly key: string;
  readonly verdict: Verdict;
  readonly next: NextStep;
}

/** A run whose tasks are handed out. Between two calls the run holds no lock and has no process. */
export interface FileRun {
  /**
   * Advance the run until an outside worker has to act. Repeated calls return the same work until it is reported.
   *
   * @throws {InputError} what `runSpec` throws
   * @throws {EnvironmentError} what `runSpec` throws
   */
  next(): Promise<NextStep>;
  /**
   * Take a report: verify its claim and advance the run to its next step. Waits while another step of the run is in
   * progress.
   *
   * @param nonce Nonce of the handed-out work.
   * @throws {InputError} `nonce-unknown`, `nonce-used`, `nonce-stale`, `report-malformed`, and what `runSpec` throws
   * @throws {EnvironmentError} what `runSpec` throws
   */
  report(nonce: string, report: Report): Promise<Reported>;
}

/**
 * Drive the run of a spec from outside: ask for the next task, do it, and report it.
 *
 * @see docs/inside.md
 */
export function fileRun(options: FileRunOptions): FileRun {
  const spec = findSpec(options.spec, options.workspace);
  const handed = handedOutStore(userFolder(spec.folder, options.workspace));
  const place = { spec, handed, options };
  return {
    next: async () => {
      const open = openWork(spec, handed, options);
      if (open !== null) {
        const taker = takerOf(findCaller());
        if (taker !== null) handed.meet(taker);
        return { kind: "work", tasks: open };
      }
      return await whenFree(spec, options, async () => (await step(place, null)).next);
    },
    report: async (nonce, report) => {
      const reply = readReport(report);
      const key = keyOf(nonce, place);
      const admit = (state: RunState | null): void => refuseClosed({ nonce, key }, place, state);
      const act = async (): Promise<Reported> => {
        const { isTaken, next, events } = await step(place, { nonce, key, reply, admit });
        return { key, verdict: isTaken ? verdictOf(key, events, next) : { kind: "not-taken" }, next };
      };
      return await whenFree(spec, options, act, admit);
    },
  };
}

/**
 * Maximum number of repeated calls while another process holds the spec; unlimited for a run whose tasks are handed
 * out.
 */
const mostTries = 25;

/**
 * Call `act`, and repeat the call while another step of the run holds the spec; steps end by themselves.
 *
 * @param admit Throws if there is nothing to wait for.
 */
async function whenFree<Result>(
  spec: SpecFolder,
  { signal }: Pick<FileRunOptions, "signal">,
  act: () => Promise<Result>,
  admit: (state: RunState | null) => void = () => {},
): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof FixpointError) || error.code !== "spec-locked") throw error;
      const state = stateOf(spec);
      admit(state);
      if (tries > mostTries && state?.outside !== true) throw error;
      await setTimeout(200, undefined, { signal });
    }
  }
}

interface Place {
  readonly spec: SpecFolder;
  readonly handed: HandedOutStore;
  readonly options: FileRunOptions;
}

interface Given {
  readonly nonce: string;
  readonly key: string;
  readonly reply: Reply;
  /** Throws if the run does not wait for the report. */
  readonly admit: (state: RunState | null) => void;
}

/** Carry out one start, until the run has to wait for a report, a person, or a time. */
async function step(
  { spec, handed, options }: Place,
  given: Given | null,
): Promise<{ readonly isTaken: boolean; readonly next: NextStep; readonly events: readonly RunEvent[] }> {
  const work = new Map<string, HandedWork>();
  const events: RunEvent[] = [];
  let isTaken = false;
  const replyTo = (key: string): Reply | null => {
    if (key !== given?.key) return null;
    isTaken = true;
    return given.reply;
  };
  const titleOf = (key: string): string | undefined => {
    const begun = events.findLast((event) => event.type === "task.delegated" && event.key === key);
    return begun?.type === "task.delegated" ? begun.title : undefined;
  };
  const executor = handOut({ spec, handed }, replyTo, { onWork: (each) => work.set(each.key, each), titleOf });
  const onEvent = (event: TimedRunEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const executors = { ...options.executors, executor };
  const admit = ({ data }: FoundStart): void => given?.admit(data.recalled.state);
  const next = await startSpec({ ...options, spec: spec.folder, executors, onEvent }, admit).then(
    (ended) => nextOf(ended, [...work.values()], events),
    (error: unknown) => questionIn(error, options.address),
  );
  if (given !== null && isTaken) handed.close(given.nonce);
  return { isTaken, events, next };
}

/** List handed-out work whose run only waits for reports; null if only a start can find out what to do next. */
function openWork(
  { dataFolder, tasksPath }: SpecFolder,
  handed: HandedOutStore,
  { policy = {}, ladder = {}, guidance, decision, accept, newRun }: FileRunOptions,
): readonly HandedWork[] | null {
  if (newRun === true || [guidance, decision, accept].some((each) => each !== undefined)) return null;
  const journal = readJournal(dataFolder, { whole: false });
  const state = replayRecords(journal);
  const recorded = journal.segments.at(-1)?.header.policy;
  if (state?.ended?.ending.outcome !== "waiting" || recorded === undefined) return null;
  // A changed plan may have other commands, which need a person's consent first.
  if (hashOf(refused("read", tasksPath, () => readPlanText(tasksPath))) !== state.ended.planHash) return null;
  const isSame = JSON.stringify(readPolicy(policyOver(recorded, policy), ladder)) === JSON.stringify(recorded);
  const found = Object.values(state.turn.handedOut).map(({ nonceHash }) => handed.find(nonceHash));
  const known = found.filter((work) => work !== null);
  return isSame && known.length > 0 && known.length === found.length ? known : null;
}

function keyOf(nonce: string, { spec, handed }: Pick<Place, "spec" | "handed">): string {
  // If the file of the handed-out work is lost, the run still knows the delegation.
  const key = handed.given(nonce)?.key ?? openKey(nonce, stateOf(spec));
  if (key !== undefined) return key;
  throw new InputError("Cannot take the report, expected the nonce of handed-out work of this spec", {
    code: "nonce-unknown",
    hint: "Ask for the next task: the nonce comes with it",
  });
}

function openKey(nonce: string, state: RunState | null): string | undefined {
  const hash = hashOfNonce(nonce);
  return Object.entries(state?.turn.handedOut ?? {}).find(([, { nonceHash }]) => nonceHash === hash)?.[0];
}

/** Refuse a report that the run does not wait for. @throws {InputError} `nonce-used`, `nonce-stale` */
function refuseClosed(
  { nonce, key }: Pick<Given, "nonce" | "key">,
  { spec, handed }: Pick<Place, "spec" | "handed">,
  state: RunState | null,
): void {
  if (openKey(nonce, state) !== undefined) return;
  const isNoted = handed.given(nonce)?.isReported === true;
  // A start may have been killed before it noted the report.
  const isReported = isNoted || isAnswered(readJournal(spec.dataFolder).records, key, hashOfNonce(nonce));
  throw new InputError(
    isReported
      ? `Cannot take the report of \`${key}\` twice: it was already reported`
      : `Cannot take the report of \`${key}\`, since the run has continued without it`,
    { code: isReported ? "nonce-used" : "nonce-stale", hint: "Ask for the next task" },
  );
}

/** Whether the reply of a delegation is recorded, and the delegation was neither handed out again nor taken back. */
function isAnswered(records: readonly RunRecord[], key: string, hash: string): boolean {
  const begun = records.findLastIndex((each) => isBegun(each) && each.key === key);
  const last = records[begun];
  if (last?.type !== "handedOut" || last.nonceHash !== hash) return false;
  return records.slice(begun).some((each) => each.type === "answered" && [key, `${key}/delegate`].includes(each.key));
}

const isBegun = (record: RunRecord): record is Extract<RunRecord, { type: "delegated" | "handedOut" }> =>
  record.type === "delegated" || record.type === "handedOut";
