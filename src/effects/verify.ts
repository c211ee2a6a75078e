import { readPaths } from "../markdown/lint/read-paths.ts";
import { type BoxChange, withBoxes } from "../model/box-change.ts";
import { clamp } from "../model/clamp.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { CompletionEvidence } from "../model/evidence.ts";
import type { FailureLeft } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { maxReviews } from "../model/review.ts";
import { roleOf, type Task } from "../model/task.ts";
import { wholeOf } from "../model/task-id.ts";
import { kindOf } from "../model/task-kind.ts";
import type { LayerResult, Verdict } from "../model/verdict.ts";
import { claimOf } from "../parse/claim-of.ts";
import type { AttemptFacts, Outcome, VerifyRun } from "../ports/attempt-record.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { isUnverified, judgeCompletion } from "../recover/judge-completion.ts";
import { lastLine } from "../recover/last-line.ts";
import { recordJudgement } from "../recover/record-judgement.ts";
import { reviewDue } from "../recover/review-due.ts";
import { undeclaredFiles } from "../recover/undeclared-files.ts";
import { checkReality } from "./check-reality.ts";
import { findTask } from "./find-task.ts";
import { runVerify, trusted } from "./run-verify.ts";
import { takeTicksBack } from "./take-ticks-back.ts";
import { besides, type Inspection, inspectPlan, settleEdits } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Judge the claim of an attempt, and run the task's own Verify when everything before it accepts. Ticks that nobody
 * accepted are taken back; notes in the plan are kept; a plan that was changed otherwise is left for a person.
 *
 * @see docs/verification.md
 */
export async function verify(
  ports: WholePorts,
  input: EffectInput<"verify">,
  signal: AbortSignal,
): Promise<Outcome<"verify">> {
  const { plan, attempts } = ports;
  const task = await findTask(ports, input.task);
  const { concluded } = await attempts.recall(attemptOf(input.key));
  if (concluded !== null) return plan.exclusively(() => finishVerdict(ports, input, task, concluded));
  const none: Ran = { verify: null, reality: null };
  const isChecked = kindOf(task) === "goal" && wholeOf(task.id) === null;
  // Where the claim does not stand as it is, it is settled at once: what one has done to the plan is held against one.
  // So it is where no command is run for it: then nothing has changed since.
  const first = await plan.exclusively(async () => {
    const evidence = await gatherEvidence(ports, input, task);
    const reading = await inspectPlan(ports, task);
    if (reading.question !== null) return { answer: reading.question };
    const claim = claimIn(evidence, reading);
    const stands = judgeCompletion(claim).kind === "accepted";
    if (!stands) return settleVerdict(ports, input, { task, claim, ran: none, reading });
    if (!input.trustExecutor || isChecked) return claim;
    return settleVerdict(ports, input, { task, claim: { ...claim, verify: trusted.evidence }, ran: none, reading });
  });
  if ("answer" in first) return first;
  const verified = input.trustExecutor ? trusted : await runVerify(ports, input, task, signal);
  const claim: CompletionEvidence = { ...first, verify: verified.evidence };
  const ran: Ran = { ...none, verify: verified.run };
  if (judgeCompletion(claim).kind !== "accepted" || !isChecked) return settleLater(ports, input, { task, claim, ran });
  const checked = await checkReality(ports, task, input, signal);
  if ("kind" in checked) return { answer: checked, facts: factsOf(ran) };
  const { evidence: reality, run } = checked;
  return settleLater(ports, input, { task, claim: { ...claim, reality }, ran: { ...ran, reality: run } });
}

/** The commands that were run to check a claim; null where none was. */
interface Ran {
  readonly verify: VerifyRun | null;
  readonly reality: VerifyRun | null;
}

const factsOf = ({ verify, reality }: Ran): AttemptFacts => ({
  ...(verify !== null && { verify }),
  ...(reality !== null && { reality }),
});

/** What is known of an attempt but for the plan, before any command is run for it. */
interface Gathered extends Omit<CompletionEvidence, "before" | "after" | "restored"> {
  /** What executors had changed of the plan that is taken back already; null when nothing. */
  readonly boxes: BoxChange | null;
}

const claimIn = ({ boxes, ...evidence }: Gathered, { known, found, restored }: Inspection): CompletionEvidence => ({
  ...evidence,
  restored,
  before: known.plan,
  after: boxes === null ? found.plan : withBoxes(found.plan, boxes),
});

async function gatherEvidence(
  { attempts, git, branch }: WholePorts,
  { key, requireExecutorTick, requireCommit, ships }: EffectInput<"verify">,
  task: Task,
): Promise<Gathered> {
  const { reply, mark, boxes } = await attempts.recall(attemptOf(key));
  const { signal, question, contradiction } = claimOf(reply, roleOf(task));
  return {
    task,
    reply,
    signal,
    blocker: question,
    contradiction,
    boxes,
    requireExecutorTick,
    beside: besides(attempts, task),
    git: mark === null ? null : ((await git?.since(mark)) ?? null),
    requireCommit,
    ...(ships !== undefined && branch !== undefined && { unshipped: await unshipped() }),
    verify: null,
    reality: null,
    review: null,
    madeFor: attempts.intended(task.id)?.madeFor ?? null,
  };

  async function unshipped(): Promise<NonNullable<CompletionEvidence["unshipped"]>> {
    const local = await (branch as NonNullable<typeof branch>).local();
    const cause = attempts.pullRequest().tasks[task.id]?.cause;
    // What an attempt before this one has committed counts as well.
    const stands = local.dirty.length === 0 && cause !== undefined && local.head === cause.head;
    // An answer is enough for a reviewer.
    const nothing = stands && cause.kind !== "thread";
    return { dirty: ships === "all" ? [] : local.dirty.slice(0, mostNamed), nothing };
  }
}

/** Paths that are named. */
const mostNamed = 8;

/** All that a verdict is made from. */
interface Case {
  readonly task: Task;
  readonly claim: CompletionEvidence;
  readonly ran: Ran;
}

/** A command takes its time, in which the plan may be changed as well. */
const settleLater = (ports: WholePorts, input: EffectInput<"verify">, made: Case): Promise<Outcome<"verify">> =>
  ports.plan.exclusively(async () => {
    const reading = await inspectPlan(ports, made.task);
    if (reading.question !== null) return { answer: reading.question, facts: factsOf(made.ran) };
    return settleVerdict(ports, input, { ...made, reading });
  });

/** Draw the conclusion: the plan is put in order, and the verdict kept with all that it was made from. */
async function settleVerdict(
  ports: WholePorts,
  { key, reviews }: EffectInput<"verify">,
  { task, claim: evidence, ran, reading }: Case & { readonly reading: Inspection },
): Promise<Outcome<"verify">> {
  const { attempts, plan, executors } = ports;
  const verdict = judgeCompletion(evidence);
  const { known, found } = reading;
  const undeclared = undeclaredIn(ports, evidence, task);
  const facts = { ...factsOf(ran), judgement: recordJudgement(verdict, evidence, undeclared) };
  const asked = executors.reviewer !== undefined && reviews < maxReviews;
  const isWhole = wholeOf(task.id) === null;
  const isReviewed = verdict.kind === "accepted" && asked && isWhole && reviewDue({ plan: known.plan, task: task.id });
  const left = verdict.kind === "accepted" ? leftBy(ran.verify, evidence.reply) : null;
  const withheld = verdict.kind === "rejected" && isWithheld(ports, task, evidence.reply);
  const answer = answerOf(task, verdict, { isReviewed, left, withheld, run: ran.verify });
  const others = besides(attempts, task);
  const standing = verdict.kind === "accepted" && !isReviewed ? [task.id, ...others] : others;
  if (known === found) return { answer, facts };
  // Whoever is killed behind that could not judge from the ticks again.
  if (standing === others) await attempts.conclude(attemptOf(key), answer, facts);
  plan.adopt(found);
  await takeTicksBack(ports, new Set(standing));
  return { answer, facts };
}

/** Whether the tool did not allow something that a person is still to be asked about. */
const isWithheld = ({ attempts }: WholePorts, { id }: Task, { denials = [] }: Pick<Reply, "denials">): boolean =>
  attempts.newDenial(id, denials) !== null;

/** What still fails of a Verify that was accepted all the same. */
function leftBy(verify: VerifyRun | null, reply: Reply): FailureLeft | null {
  const failing = verify === null ? null : setOfRun({ ...verify.result, digest: verify.digest });
  return failing && { failing, evidence: evidenceOf({ run: verify, claim: reply.text, findings: "" }) };
}

function answerOf(
  task: Task,
  { kind: verdict, layers }: Verdict,
  {
    isReviewed,
    left,
    withheld,
    run,
  }: {
    readonly isReviewed: boolean;
    readonly left: FailureLeft | null;
    readonly withheld: boolean;
    readonly run: VerifyRun | null;
  },
): Answer<"verify"> {
  const decisive = layers.find(({ kind }) => kind === verdict) as LayerResult;
  if (decisive.kind === "accepted" || decisive.kind === "unverified") {
    const unverified = isUnverified(layers);
    return {
      kind: "accepted",
      ...(isReviewed && { reviewDue: true }),
      ...(unverified && { unverified }),
      ...(left && { left }),
    };
  }
  const { layer, kind, reason } = decisive;
  if (kind === "rejected") return { kind, layer, reason, ...(withheld && { withheld }) };
  if (kind === "failed") return { kind, layer, reason };
  if (layer === "signal") return { kind: "blocked", question: reason };
  return {
    kind: "gate",
    reason: [`Task ${task.id}: ${reason}`, ...(run === null ? [] : tellRun(run))].join("\n"),
    hint: "Mend the task's Verify in tasks.md, then run again",
  };
}

/** Code points of a command and of a line. */
const maxText = 120;

/** A command that could not run, and what the shell has said of it at last. */
function tellRun({ command, result: { exitCode, stdout, stderr } }: VerifyRun): string[] {
  const last = lastLine(stderr) ?? lastLine(stdout);
  const said = last === null ? "" : `: ${clamp(last, maxText)}`;
  return [`Verify: ${clamp(command.split("\n").join(" "), maxText)}`, `Exit ${exitCode}${said}`];
}

/** Put the plan in order for a verdict that a start before has recorded, and was killed then. */
async function finishVerdict(
  ports: WholePorts,
  { key }: EffectInput<"verify">,
  task: Task,
  concluded: Answer<"verify">,
): Promise<Outcome<"verify">> {
  const question = await settleEdits(ports, task);
  if (question !== null) return { answer: question };
  const { judgement, ...ran } = await ports.attempts.recall(attemptOf(key));
  return { answer: concluded, facts: { ...factsOf(ran), ...(judgement !== null && { judgement }) } };
}

function undeclaredIn({ workspace = "", spec = "" }: WholePorts, { git }: CompletionEvidence, { fields }: Task) {
  if (git === null) return [];
  const own = spec.startsWith(`${workspace}/`) ? spec.slice(workspace.length + 1) : null;
  return undeclaredFiles(git.changed, readPaths(fields.files ?? ""), own);
}
