import type { Directive } from "../model/directive.ts";
import type { Answer } from "../model/effect.ts";
import type { FailureDigest, FailureLeft } from "../model/failure.ts";
import { spentOn } from "../model/ledger.ts";
import type { DeniedAct } from "../model/permissions.ts";
import type { RunRecord } from "../model/record.ts";
import { attemptOf, effectOf, type Reply, taskOf } from "../model/reply.ts";
import { isServiceKind } from "../model/service-problem.ts";
import type { TaskId } from "../model/task-id.ts";
import { noVerdict } from "./attempt-log.ts";
import type { RunBooks } from "./run-books.ts";

type Answered = Extract<RunRecord, { type: "answered" }>;

/**
 * Take a record into the books: one that is made now, or one of an earlier start.
 *
 * @param isOver Whether its turn is: nobody asks for its attempts again.
 */
export function foldRecord(books: RunBooks, record: RunRecord & { readonly at?: number }, isOver = false): void {
  const { fixes, changes, executors, inFlight, ladder, log } = books;
  switch (record.type) {
    case "delegated":
      foldDelegation(books, record);
      break;
    case "answered":
      if (!isOver) foldAttempt(books, record);
      foldUse(books, record);
      foldMeaning(books, record.key, record.answer as AnswerFacts, record.at);
      break;
    case "judged":
      if (isOver) break;
      foldAttempt(books, record);
      log.add(attemptOf(record.key), { concluded: record.answer as Answer<"verify"> });
      log.countBoxes(inFlight);
      break;
    case "boxes":
      log.addBoxes(record.key, record);
      break;
    case "planned":
      changes.note(record.key, { type: record.change, change: record.plan });
      break;
    case "intended":
      fixes.note(record.key, record.fix);
      break;
    case "dropped":
      fixes.forget(record.fix);
      break;
    case "closed":
      books.accepted.add(record.fix);
      break;
    case "withdrawn":
      changes.forget(record.key);
      break;
    case "spared":
      books.spare(taskOf(record.key));
      break;
    case "passed":
      books.pass(taskOf(record.key), { commit: record.commit, grouped: true });
      break;
    case "reset":
      ladder.beginAnew(record.task);
      break;
    case "guided":
      ladder.advise(record.task, record.text);
      break;
    case "skipped":
      ladder.skip(record.task, record.justification);
      if (record.justification === null) ladder.beginAnew(record.task);
      break;
    // What was said shows in what it led to: an answer, or delegations.
    case "said":
    case "unheard":
    case "left":
    case "continued":
    case "released":
      break;
    case "ended":
      executors.seenTo();
      books.trouble.clear();
  }
}

function foldDelegation(
  { tally, costs, executors, inFlight, ladder, log }: RunBooks,
  delegated: Extract<RunRecord, { type: "delegated" }>,
): void {
  const { key, task, role, attempt, retries, executor = 0, level, baseline } = delegated;
  tally.iterate();
  costs.begin(delegated);
  if (role === "operator") {
    executors.note(key, role, executor);
    return;
  }
  if (role === "reviewer") {
    // The round: one that is repeated after a crash counts once.
    tally.spend(task, ({ reviews = 0 }) => ({ reviews: Math.max(reviews, attempt) }));
    return;
  }
  executors.note(key, role, executor);
  // One that is repeated after a crash was counted when it began.
  if (level !== undefined && attempt > spentOn(tally.ledger.tasks, task).attempts) ladder.climb(task, level);
  tally.spend(task, () => ({ attempts: attempt, retries }));
  inFlight.add(task);
  if (baseline !== undefined) log.begin(key, baseline);
}

/** What stands in a record of what an attempt has left behind. */
type LeftBehind = Pick<Answered, "key" | "reply" | "verify" | "reality" | "judgement" | "review">;

/** What is kept of an attempt until its turn is over. */
function foldAttempt(books: RunBooks, record: LeftBehind): void {
  const { log } = books;
  const key = attemptOf(record.key);
  const { verify, judgement, review } = record;
  if (record.reply !== undefined) {
    const { text, headBefore, mark = null, fileState = null, ...reply } = record.reply;
    const kept = {
      ...noVerdict,
      reply: given({ ...reply, text: text ?? "" }),
      headBefore,
      mark,
      fileState,
      live: false,
    };
    log.keep(key, kept, text === null);
  }
  for (const run of [verify, record.reality]) {
    if (run !== undefined) books.checks.note({ command: run.command, name: run.name, passed: run.digest === null });
  }
  if (verify !== undefined) log.add(key, { verify });
  if (record.reality !== undefined) log.add(key, { reality: record.reality });
  if (judgement !== undefined) log.add(key, { judgement });
  if (review !== undefined) log.add(key, { review });
  log.add(key, { concluded: null });
}

/** Count what was used for an answer. */
export function foldUse({ tally, costs }: RunBooks, answered: Answered): void {
  const { reply, review, usage } = answered;
  costs.use(answered);
  if (reply !== undefined) tally.use(reply.usage);
  if (review !== undefined) tally.use(review.usage);
  if (usage !== undefined) tally.use(usage);
}

/** What stands in the answers that the books look at. */
interface AnswerFacts {
  readonly kind?: string;
  readonly reason?: string;
  readonly until?: number | null;
  readonly fallback?: boolean;
  readonly denied?: DeniedAct;
  readonly withheld?: boolean;
  readonly members?: readonly { readonly root: TaskId }[];
  readonly grouped?: boolean;
  readonly commit?: string | null;
  readonly open?: boolean;
  readonly directive?: Directive;
  readonly unverified?: boolean;
  readonly left?: FailureLeft;
  readonly path?: string;
  readonly skipped?: { readonly root: TaskId; readonly justification: string };
}

/**
 * What an answer means for the run. When it is given, its effect itself tells the books.
 *
 * @param at When it was given; any time ago when that is not known.
 */
function foldMeaning(books: RunBooks, key: string, answer: AnswerFacts, at = Number.NEGATIVE_INFINITY): void {
  const { batches, executors, inFlight, ladder, log, tally } = books;
  const { kind, reason = null, until = null, fallback, members = [], grouped = false, commit = null, open } = answer;
  const attempt = attemptOf(key);
  const task = taskOf(key);
  switch (effectOf(key)) {
    case "chooseTask":
      batches.begin(members.map(({ root }) => root));
      ladder.beginTurn();
      break;
    case "verify":
      if (kind !== "accepted") inFlight.delete(task);
      log.countBoxes(inFlight);
      if (kind === "rejected" && answer.withheld !== true) books.fail(task, null);
      if (kind === "blocked") books.spare(task);
      if (kind === "accepted") ladder.accept(task, answer.left ?? null);
      break;
    case "readFailure":
      if (!isServiceKind(kind)) {
        books.fail(task, answer as FailureDigest);
        break;
      }
      books.spare(task);
      if (answer.denied !== undefined) {
        books.denials.note(task, answer.denied);
        break;
      }
      if (fallback === true || until !== null) executors.block(attempt, until, at);
      break;
    case "changePlan":
      if (kind === "replanned") books.replan(attempt);
      if (kind === "replanned" || kind === "extended") batches.break();
      if (kind === "refused") log.add(attempt, { refusal: reason });
      break;
    case "recordPass":
      if (open !== true) books.pass(task, { commit, grouped, unverified: answer.unverified === true });
      break;
    case "mergeProgress":
      batches.settle();
      break;
    case "askOperator":
    case "askAgain":
      if (answer.directive !== undefined) ladder.direct(task, answer.directive);
      if (answer.until !== undefined) executors.block(key, until, at);
      break;
    case "gatherParts":
      // No delegation has numbered it.
      tally.spend(task, ({ attempts, waits = 0 }) => ({ attempts: attempts + 1, waits: waits + 1 }));
      break;
    case "writeStuckReport":
      ladder.report(task, answer.path ?? "");
      break;
    case "recordSkip":
      inFlight.delete(task);
      if (answer.skipped !== undefined) ladder.skip(answer.skipped.root, answer.skipped.justification);
      break;
    case "askPerson":
      ladder.answer(ladder.rootOf(task), answer as Answer<"askPerson">);
      // At a gate nobody has seen to it.
      if (answer.kind !== "gate") books.trouble.clear();
      break;
  }
}

/** A reply without the fields that were not given. */
const given = (reply: { [Field in keyof Reply]: Reply[Field] | undefined }): Reply =>
  Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined)) as unknown as Reply;
