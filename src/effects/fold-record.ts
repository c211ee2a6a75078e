import type { RunRecord } from "../model/record.ts";
import { attemptOf, effectOf, type Reply, taskOf } from "../model/reply.ts";
import { isServiceKind } from "../model/service-problem.ts";
import type { TaskId } from "../model/task-id.ts";
import { unjudged } from "./attempt-log.ts";
import type { RunBooks } from "./run-books.ts";

type Answered = Extract<RunRecord, { type: "answered" }>;

/** Take a record into the books: one that is made now, or one of an earlier start. */
export function foldRecord(books: RunBooks, record: RunRecord): void {
  const { tally, fixes, changes, executors } = books;
  switch (record.type) {
    case "delegated":
      foldDelegation(books, record);
      break;
    case "answered":
      foldAnswer(books, record);
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
    case "withdrawn":
      changes.forget(record.key);
      break;
    case "spared":
      books.spare(taskOf(record.key));
      break;
    case "reset":
      tally.spend(record.task, ({ attempts }) => ({ retries: 0, waits: attempts }));
      break;
    case "approved":
    case "released":
      break;
    case "ended":
      executors.seenTo();
  }
}

function foldDelegation(
  { tally, executors, inFlight }: RunBooks,
  { key, task, role, attempt, retries, executor = 0 }: Extract<RunRecord, { type: "delegated" }>,
): void {
  tally.iterate();
  if (role === "reviewer") {
    // The round: one that is repeated after a crash counts once.
    tally.spend(task, ({ reviews = 0 }) => ({ reviews: Math.max(reviews, attempt) }));
    return;
  }
  executors.note(key, role, executor);
  tally.spend(task, () => ({ attempts: attempt, retries }));
  inFlight.add(task);
}

function foldAnswer(books: RunBooks, record: Answered): void {
  const { tally, log } = books;
  const key = attemptOf(record.key);
  const { verify, judgement, review } = record;
  if (record.reply !== undefined) {
    const { text, headBefore, mark = null, ...reply } = record.reply;
    tally.use(reply.usage);
    const kept = { ...unjudged, reply: given({ ...reply, text: text ?? "" }), headBefore, mark, live: false };
    log.keep(key, kept, text === null);
  }
  if (verify !== undefined) log.add(key, { verify });
  if (judgement !== undefined) log.add(key, { judgement });
  if (review !== undefined) {
    tally.use(review.usage);
    log.add(key, { review });
  }
  foldMeaning(books, record.key, record.answer as AnswerFacts);
}

/** What stands in the answers that the books look at. */
interface AnswerFacts {
  readonly kind?: string;
  readonly reason?: string;
  readonly until?: number | null;
  readonly fallback?: boolean;
  readonly members?: readonly { readonly root: TaskId }[];
  readonly grouped?: boolean;
  readonly commit?: string | null;
  readonly open?: boolean;
}

/** What an answer means for the run. When it is given, its effect itself tells the books. */
function foldMeaning(books: RunBooks, key: string, answer: AnswerFacts): void {
  const { batches, executors, inFlight, log } = books;
  const { kind, reason = null, until = null, fallback, members = [], grouped = false, commit = null, open } = answer;
  const attempt = attemptOf(key);
  const task = taskOf(key);
  switch (effectOf(key)) {
    case "chooseTask":
      batches.begin(members.map(({ root }) => root));
      break;
    case "verify":
      if (kind !== "accepted") inFlight.delete(task);
      break;
    case "readFailure":
      if (!isServiceKind(kind)) break;
      books.spare(task);
      if (fallback === true || until !== null) executors.block(attempt, until);
      break;
    case "changePlan":
      if (kind === "replanned") books.replan(attempt);
      if (kind === "replanned" || kind === "extended") batches.break();
      if (kind === "refused") log.add(attempt, { refusal: reason });
      break;
    case "recordPass":
      if (open !== true) books.pass(task, { commit, grouped });
      break;
    case "mergeProgress":
      batches.settle();
      break;
  }
}

/** A reply without the fields that were not given. */
const given = (reply: { [Field in keyof Reply]: Reply[Field] | undefined }): Reply =>
  Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined)) as unknown as Reply;
