import { readPaths } from "../markdown/lint/find-shared-files.ts";
import { isCheckedLater, readVerify } from "../markdown/tasks/read-verify.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { CompletionEvidence, LayerResult, Proof, Verdict } from "../model/evidence.ts";
import type { FailureLeft } from "../model/failure.ts";
import { setOfRun } from "../model/failure-set.ts";
import { maxReviews } from "../model/limits.ts";
import { undeclaredFiles } from "../model/paths.ts";
import { attemptOf, type Reply } from "../model/reply.ts";
import { kindOf, type Task, wholeOf } from "../model/task.ts";
import { clamp } from "../model/text.ts";
import type { AttemptFacts, Outcome, VerifyRun } from "../ports/attempt-record.ts";
import { lastLine } from "../recover/classify-failure.ts";
import { evidenceOf } from "../recover/evidence-of.ts";
import { awaitsVerify, judgeCompletion, reviewDue } from "../recover/judge-completion.ts";
import { recordJudgement } from "../recover/record-judgement.ts";
import { renderHarm } from "../wording/render-harm.ts";
import { checkReality } from "./check-reality.ts";
import { findTask } from "./find-task.ts";
import { claimIn, gatherEvidence } from "./gather-claim.ts";
import type { Harmed } from "./guard-work.ts";
import type { WorkJudged } from "./judge-work.ts";
import { askAbout, lookForHarm, lookForUndone } from "./judge-work.ts";
import { verifyQuestion, withheldAct } from "./outside-trouble.ts";
import { revertUnverifiedTicks } from "./revert-unverified-ticks.ts";
import { runVerify, trusted } from "./run-verify.ts";
import { besides, type Inspection, inspectPlan, settleEdits } from "./unauthorized-edits.ts";
import type { WholePorts } from "./with-memory.ts";

/**
 * Judge the claim of an attempt by its text and by the Verify of its task. Unaccepted ticks are cleared, notes in the
 * plan are kept, and a person is asked about other plan changes.
 *
 * @see docs/verification.md
 */
export async function verify(
  ports: WholePorts,
  given: EffectInput<"verify">,
  signal: AbortSignal,
): Promise<Outcome<"verify">> {
  const { plan, attempts } = ports;
  // In a worktree, no other member disturbs the work.
  const input = ports.apart === undefined ? given : { ...given, grouped: false };
  const task = await findTask(ports, input.task);
  const { concluded } = await attempts.recall(attemptOf(input.key));
  if (concluded !== null) return plan.exclusively(() => finishVerdict(ports, input, task, concluded));
  const content = isCheckedLater(task, ports.check) ? await ports.trees?.now(signal) : undefined;
  const none: Ran = { verify: null, reality: null, made: null, excused: [], harmed: null, content };
  const isChecked = kindOf(task) === "goal" && wholeOf(task.id) === null;
  // Settle a claim without a command at once, while the plan is locked.
  const first = await plan.exclusively(async () => {
    const evidence = await gatherEvidence(ports, input, task);
    const reading = await inspectPlan(ports, task);
    if (reading.question !== null) return { answer: reading.question };
    const claim = claimIn(evidence, reading);
    const read = readVerify(task.fields.verify);
    const stands = judgeCompletion(claim).kind === "accepted";
    const isRun = read.kind === "command" && !input.trustExecutor && (stands || awaitsVerify(claim));
    if (isRun || (isChecked && stands)) return claim;
    const verify = input.trustExecutor ? trusted.evidence : read.kind === "unrunnable" ? read : null;
    const harmed = stands ? await lookForUndone(ports, input, task) : null;
    const told = { ...claim, verify, harm: renderHarm(harmed, input.guard) };
    return settleVerdict(ports, input, { task, claim: told, ran: { ...none, harmed }, reading });
  });
  if ("answer" in first) return first;
  const verified = input.trustExecutor ? trusted : await runVerify(ports, input, task, signal);
  const harmed = await lookForHarm(ports, input, task, verified);
  const claim: CompletionEvidence = {
    ...first,
    ...{ verify: verified.evidence, proof: verified.proof, harm: renderHarm(harmed, input.guard) },
    ...(verified.changed !== null && { changedFiles: verified.changed }),
  };
  const ran: Ran = { ...none, verify: verified.run, made: verified.made, excused: verified.excused, harmed };
  const question = verified.question ?? verifyQuestion(ports, task.id, verified.run);
  if (question !== null) return { answer: question, facts: factsOf(ran) };
  if (judgeCompletion(claim).kind !== "accepted" || !isChecked) return settleLater(ports, input, { task, claim, ran });
  const checked = await checkReality(ports, task, input, signal);
  if ("kind" in checked) return { answer: checked, facts: factsOf(ran) };
  const { evidence: reality, run } = checked;
  return settleLater(ports, input, { task, claim: { ...claim, reality }, ran: { ...ran, reality: run } });
}

/** Results of the commands that checked a claim; null for a command that did not run. */
interface Ran {
  readonly verify: VerifyRun | null;
  readonly reality: VerifyRun | null;
  readonly made: readonly string[] | null;
  /** Checks that were red before the run and are ignored. */
  readonly excused: WorkJudged["excused"];
  readonly harmed: Harmed | null;
  /** Workspace content, if a command checks the task later; null if unknown. */
  readonly content: string | null | undefined;
}

/** Files whose checks are expected to fail after the task; null if the task does not change this list. */
function givenBehind({ attempts }: WholePorts, task: Task, made: Ran["made"]): readonly string[] | null {
  if (kindOf(task) === "green") return [];
  return made === null ? null : [...new Set([...attempts.given(), ...made])];
}

const factsOf = ({ verify, reality }: Pick<Ran, "verify" | "reality">): AttemptFacts => ({
  ...(verify !== null && { verify }),
  ...(reality !== null && { reality }),
});

interface Case {
  readonly task: Task;
  readonly claim: CompletionEvidence;
  readonly ran: Ran;
}

/** Settle a verdict after a command ran, with a new reading of the plan, which may have changed meanwhile. */
const settleLater = (ports: WholePorts, input: EffectInput<"verify">, made: Case): Promise<Outcome<"verify">> =>
  ports.plan.exclusively(async () => {
    const reading = await inspectPlan(ports, made.task);
    if (reading.question !== null) return { answer: reading.question, facts: factsOf(made.ran) };
    return settleVerdict(ports, input, { ...made, reading });
  });

async function settleVerdict(
  ports: WholePorts,
  { key, reviews, guarded }: EffectInput<"verify">,
  { task, claim: evidence, ran, reading }: Case & { readonly reading: Inspection },
): Promise<Outcome<"verify">> {
  const { attempts, plan, executors } = ports;
  const verdict = judgeCompletion(evidence);
  const { known, found } = reading;
  const undeclared = undeclaredIn(evidence, task);
  const facts = { ...factsOf(ran), judgement: recordJudgement(verdict, evidence, undeclared) };
  const asked = executors.reviewer !== undefined && reviews < maxReviews;
  const isWhole = wholeOf(task.id) === null;
  const isReviewed = verdict.kind === "accepted" && asked && isWhole && reviewDue({ plan: known.plan, task: task.id });
  const left = verdict.kind === "accepted" ? leftBy(ran.verify, evidence.reply) : null;
  const withheld = verdict.kind === "rejected" && withheldAct(ports, attemptOf(key), evidence.reply) !== null;
  const answer = answerOf(task, verdict, {
    isReviewed,
    left,
    withheld,
    run: ran.verify,
    proof: proofFor(evidence, verdict),
    given: givenBehind(ports, task, ran.made),
    excused: ran.excused,
    content: ran.content,
    guarded: guarded === true ? askAbout(ran.harmed) : null,
  });
  const others = besides(attempts, task);
  const standing = verdict.kind === "accepted" && !isReviewed ? [task.id, ...others] : others;
  if (known === found) return { answer, facts };
  // Record the verdict first: once the ticks are cleared, a later start could not judge them again.
  if (standing === others) await attempts.conclude(attemptOf(key), answer, facts);
  plan.adopt(found);
  await revertUnverifiedTicks(ports, new Set(standing));
  return { answer, facts };
}

function leftBy(verify: VerifyRun | null, reply: Reply): FailureLeft | null {
  const failing = verify === null ? null : setOfRun({ ...verify.result, digest: verify.digest });
  return failing && { failing, evidence: evidenceOf({ run: verify, claim: reply.text, findings: "" }) };
}

function proofFor({ proof = null, verify, reality }: CompletionEvidence, { layers }: Verdict): Proof {
  if (proof !== null) return proof;
  if (reality !== null && layers.some(({ layer, kind }) => layer === "reality" && kind === "accepted")) {
    return { kind: "checked" };
  }
  if (verify?.kind === "ran") return { kind: "unproven", reason: "its Verify is still red" };
  return { kind: "unverified" };
}

function answerOf(
  task: Task,
  { kind: verdict, layers }: Verdict,
  {
    isReviewed,
    left,
    withheld,
    run,
    proof,
    given,
    excused,
    content,
    guarded,
  }: {
    readonly isReviewed: boolean;
    readonly left: FailureLeft | null;
    readonly withheld: boolean;
    readonly run: VerifyRun | null;
    readonly proof: Proof;
    readonly given: readonly string[] | null;
    readonly excused: WorkJudged["excused"];
    readonly content: Ran["content"];
    readonly guarded: ReturnType<typeof askAbout>;
  },
): Answer<"verify"> {
  const decisive = layers.find(({ kind }) => kind === verdict) as LayerResult;
  if (decisive.kind === "accepted" || decisive.kind === "unverified") {
    return {
      ...{ kind: "accepted", proof },
      ...(isReviewed && { reviewDue: true }),
      ...(given !== null && { given: [...given] }),
      ...(excused.length > 0 && { excused: excused.map(({ name, id }) => ({ name, id })) }),
      ...(content !== undefined && { content }),
      ...(left && { left }),
    };
  }
  const { layer, kind, reason } = decisive;
  if (layer === "guard" && kind === "rejected" && guarded !== null) {
    return { kind: "blocked", ...guarded };
  }
  if (kind === "rejected") return { kind, layer, reason, ...(withheld && { withheld }) };
  if (kind === "failed") return { kind, layer, reason };
  if (layer === "signal") return { kind: "blocked", question: reason };
  return {
    kind: "gate",
    reason: [`Task ${task.id}: ${reason}`, ...(run === null ? [] : renderRun(run))].join("\n"),
    hint: "Fix the task's Verify in tasks.md, then run again",
  };
}

const maxText = 120;

/** Describe a command that could not run, with the last message of the shell. */
function renderRun({ command, result: { exitCode, stdout, stderr } }: VerifyRun): string[] {
  const last = lastLine(stderr) ?? lastLine(stdout);
  const said = last === null ? "" : `: ${clamp(last, maxText)}`;
  return [`Verify: ${clamp(command.split("\n").join(" "), maxText)}`, `Exit ${exitCode}${said}`];
}

/** Update the plan for a verdict that an earlier start recorded before it was killed. */
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

const undeclaredIn = ({ git }: CompletionEvidence, { fields }: Task): readonly string[] =>
  git === null ? [] : undeclaredFiles(git.changed, readPaths(fields.files ?? ""));
