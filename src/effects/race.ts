import { failingIn } from "../evidence/judge-runs.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Tried } from "../model/escalation.ts";
import type { CompletionEvidence, Judgement } from "../model/evidence.ts";
import { progressName } from "../model/file-names.ts";
import type { Race } from "../model/record.ts";
import { type AttemptKey, attemptKey, isServiceKind, Raced, type Reply, type Usage } from "../model/reply.ts";
import { roleOf, type Task } from "../model/task.ts";
import type { AttemptFacts, Outcome, VerifyRun } from "../ports/attempt-record.ts";
import type { Executor } from "../ports/executor.ts";
import type { Worktree, Worktrees } from "../ports/git.ts";
import { digestFailure } from "../recover/digest-failure.ts";
import { awaitsVerify, judgeCompletion } from "../recover/judge-completion.ts";
import { recordJudgement } from "../recover/record-judgement.ts";
import { renderHarm } from "../wording/render-harm.ts";
import { admit, type Dispatch, give } from "./dispatch.ts";
import { handsOut } from "./executor-chain.ts";
import { type FailedRecord, failureOf } from "./failure-of.ts";
import { gatherEvidence } from "./gather-claim.ts";
import { lookForHarm } from "./judge-work.ts";
import { mergeRest } from "./merge-work.ts";
import { answerTo, promptFor, treeLeft } from "./one-attempt.ts";
import { portsIn } from "./ports-for.ts";
import { strategyOf } from "./read-signs.ts";
import { runVerify, trusted } from "./run-verify.ts";
import { progressFileOf } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";

interface Racer {
  readonly attempt: number;
  readonly outcome: Raced;
  readonly reply: Reply | null;
  readonly failing: number | null;
  readonly left: string | null;
  /** Merges the racer's log; absent if the log is discarded. */
  readonly takeLog?: () => void;
}

interface Started {
  readonly work: Dispatch & { readonly race: Race };
  readonly executor: Executor;
}

/**
 * Run several attempts at a task in parallel, each in its own worktree, from the same content. The first proven attempt
 * ends the others; if none is proven, the attempt with the fewest failing checks wins. The winner's work is merged and
 * judged again. Each result is recorded, and not repeated on resume.
 *
 * @param work The task as dispatched for its first attempt.
 * @returns Null if a race is impossible: a single attempt is made then.
 * @throws {EnvironmentError} as `give`, and `worktree-refused`
 */
export async function race(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  work: Dispatch,
  signal: AbortSignal,
): Promise<Outcome<"delegate"> | null> {
  const { attempts, executors, lanes, trees } = ports;
  const { task, attempt: first } = work;
  const of = input.race?.of ?? 1;
  const base = attempts.found(work.key) ?? work.looked?.tree ?? null;
  if (of < 2 || base === null || lanes === undefined || trees?.keeps !== true || handsOut(executors)) return null;
  const known: Racer[] = [];
  const started: Started[] = [];
  for (let attempt = first; attempt < first + of; attempt += 1) {
    const key = attemptKey(task.id, attempt);
    const result = attempts.race(task.id)?.ended[key];
    if (result !== undefined) known.push(await recall(ports, key, attempt, result.outcome));
  }
  for (let attempt = first; attempt < first + of && !known.some(hasWon); attempt += 1) {
    if (known.some((each) => each.attempt === attempt)) continue;
    const looked = attempt === first ? (work.looked ?? {}) : { tree: base };
    const own = { ...work, key: attemptKey(task.id, attempt), attempt, looked, race: { first, of } };
    const executor = await admit(ports, own, input.limits, signal);
    if (!("limit" in executor)) started.push({ work: own, executor });
    else if (known.length + started.length === 0) return { answer: executor };
    else break;
  }
  const stop = new AbortController();
  const ended = await Promise.allSettled(started.map((each) => runOne(ports, input, { ...each, base, stop }, signal)));
  signal.throwIfAborted();
  const racers = [...known, ...ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))];
  const failed = ended.find((each) => each.status === "rejected");
  if (failed !== undefined && !racers.some(hasWon)) throw failed.reason;
  return take(ports, { task, base, racers }, signal);
}

const hasWon = ({ outcome }: Racer): boolean => outcome === "proven";

async function recall({ attempts }: WholePorts, key: AttemptKey, attempt: number, outcome: Raced): Promise<Racer> {
  if (!attempts.knows(key)) return { attempt, outcome, reply: null, failing: null, left: null };
  const { reply, left, verify } = await attempts.recall(key);
  return { attempt, outcome, reply, failing: verify && failingIn(verify), left };
}

async function runOne(
  ports: WholePorts,
  input: EffectInput<"delegate">,
  { work, executor, base, stop }: Started & { readonly base: string; readonly stop: AbortController },
  signal: AbortSignal,
): Promise<Racer> {
  const { attempts, lanes, onProgress } = ports;
  const { key, attempt } = work;
  const both = AbortSignal.any([signal, stop.signal]);
  const end = (outcome: Raced, content: string | null, facts: AttemptFacts = {}, tried?: Tried): void => {
    const answer = { kind: "raced", outcome, content, ...(tried !== undefined && { tried }) } as const;
    attempts.record([{ type: "answered", effect: "delegate", key: `${key}/lane`, answer }], { facts });
    onProgress?.({ type: "task.raced", task: work.task.id, attempt, outcome });
  };
  let place: ReturnType<typeof portsIn> | null = null;
  let usage: Usage | undefined;
  try {
    place = portsIn(ports, await (lanes as Worktrees).open(key, { base, content: base }, both));
    usage = {};
    const reply = await give(place, executor, inPlace(place, input, work), both);
    usage = reply.usage ?? usage;
    both.throwIfAborted();
    const tree = (await treeLeft(place, both)) ?? null;
    const { outcome, judgement, verify } = await look(place, input, work, reply, both);
    both.throwIfAborted();
    const from = attempts.baseline(key) ?? { headBefore: null, mark: null, fileState: null };
    const facts = { reply: { reply, ...from, tree }, judgement, ...(verify !== null && { verify }) };
    const tried = outcome === "failed" ? triedBy(ports, work.task, { reply, judgement, verify }) : undefined;
    end(outcome, tree, facts, tried);
    if (outcome === "proven") stop.abort();
    const { takeLog: take } = place.apart;
    const takeLog = () => take(progressName(input.grouped ? input.root : undefined));
    return { attempt, outcome, reply, failing: verify && failingIn(verify), left: tree, takeLog };
  } catch (error) {
    // Rethrow the error, unless this racer was stopped because another racer is proven. The remaining racers continue.
    if (signal.aborted || !stop.signal.aborted) throw error;
    // Count the cost of a stopped racer anyway.
    end("stopped", (place && (await treeLeft(place, signal))) ?? null, usage && { usage });
    return { attempt, outcome: "stopped", reply: null, failing: null, left: null };
  }
}

/** Adapt the work to the worktree of one racer. */
function inPlace(
  place: WholePorts & { readonly apart: Worktree },
  input: EffectInput<"delegate">,
  work: Started["work"],
): Dispatch {
  const { first, of } = work.race;
  const { key } = work;
  const climb = { level: "race", attempt: work.attempt - first + 1, max: of } as const;
  const progressFile = progressFileOf(place.apart.copy, input.grouped ? input.root : null);
  return { ...work, progressFile, prompt: promptFor(place, { ...input, key: `${key}/delegate`, climb }, work.task) };
}

async function look(
  place: WholePorts,
  { root, race: raced }: EffectInput<"delegate">,
  { key, task }: Dispatch,
  reply: Reply,
  signal: AbortSignal,
): Promise<{ readonly outcome: Raced; readonly judgement: Judgement; readonly verify: VerifyRun | null }> {
  const { judging } = raced as NonNullable<typeof raced>;
  // Nothing is committed in a racer's worktree: for a pull request, the winner's work is committed after the merge.
  const apart = { grouped: false, requireExecutorTick: false, requireCommit: false, ships: undefined };
  const input = { ...judging, ...apart, key: `${key}/lane`, task: task.id, root };
  const { plan } = await place.plan.known();
  const given = { reply, mark: null, boxes: null, found: null, left: null };
  const { boxes: _, ...gathered } = await gatherEvidence(place, input, task, given);
  const claim: CompletionEvidence = { ...gathered, restored: [], before: plan, after: plan };
  const isRun = !input.trustExecutor && (judgeCompletion(claim).kind === "accepted" || awaitsVerify(claim));
  const verified = isRun ? await runVerify(place, input, task, signal) : trusted;
  const harmed = await lookForHarm(place, input, task, verified);
  const { evidence: verify, proof, question } = verified;
  const judged = { ...claim, verify: isRun ? verify : null, proof, harm: renderHarm(harmed, input.guard) };
  const verdict = judgeCompletion(judged);
  const outcome =
    reply.problem !== undefined && isServiceKind(reply.problem.kind)
      ? "unable"
      : verdict.kind !== "accepted" || question !== null
        ? "failed"
        : proof?.kind === "proven" || input.trustExecutor
          ? "proven"
          : "unproven";
  return { outcome, judgement: recordJudgement(verdict, judged, []), verify: verified.run };
}

/** The approach and the error of a failed racer; undefined if no layer of its verdict failed. */
function triedBy(
  { clock }: WholePorts,
  task: Task,
  made: Pick<FailedRecord, "reply" | "judgement" | "verify">,
): Tried | undefined {
  if (made.judgement?.layers.some(({ kind }) => kind === "failed") !== true) return undefined;
  const failure = failureOf(task.id, { ...made, reality: null, review: null }, roleOf(task), clock.now());
  return { strategy: strategyOf(made.reply, failure), error: digestFailure(failure).error };
}

/** Sort better results first: by outcome, number of failures, then attempt. */
function compareRacers(one: Racer, other: Racer): number {
  const rank = ({ outcome }: Racer): number => Raced.options.indexOf(outcome);
  const count = ({ failing }: Racer): number => failing ?? Number.MAX_SAFE_INTEGER;
  return rank(one) - rank(other) || count(one) - count(other) || one.attempt - other.attempt;
}

async function take(
  ports: WholePorts,
  { task, base, racers }: { readonly task: Task; readonly base: string; readonly racers: readonly Racer[] },
  signal: AbortSignal,
): Promise<Outcome<"delegate">> {
  const { lanes } = ports;
  const [best] = racers.toSorted(compareRacers) as [Racer];
  const { attempt, left, reply } = best;
  if (left !== null) await mergeRest(ports, task.id, { base, theirs: left }, signal);
  best.takeLog?.();
  for (const each of racers) lanes?.close(attemptKey(task.id, each.attempt));
  const content = await treeLeft(ports, signal);
  return { answer: { kind: reply === null ? "replied" : answerTo(task, reply), attempt, content: content ?? null } };
}
