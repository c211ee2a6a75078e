import { beforeOf, knownRun, notThere, unknownBefore } from "../evidence/judge-runs.ts";
import { readVerify, writeCommand } from "../markdown/tasks/read-verify.ts";
import type { Before, KnownRun, RedCheck } from "../model/check-run.ts";
import { commandLine } from "../model/command-line.ts";
import type { Answer, EffectInput } from "../model/effect.ts";
import type { Proof } from "../model/evidence.ts";
import type { FixTask } from "../model/failure.ts";
import { nameOfCheck } from "../model/failure-set.ts";
import type { Question } from "../model/person-event.ts";
import { attemptOf } from "../model/reply.ts";
import type { Task, TaskId } from "../model/task.ts";
import type { Outcome, VerifyRun } from "../ports/attempt-record.ts";
import { verifyTrouble } from "../recover/verify-trouble.ts";
import { escapeText } from "../wording/escape-text.ts";
import { renderKnownFailures } from "../wording/render-harm.ts";
import { relatedIn } from "./find-in-content.ts";
import { guardTogether } from "./guard-work.ts";
import { flakyIn, namesOf } from "./judge-work.ts";
import { countedIn } from "./recheck.ts";
import { openIn, remainingWork, tasksToCheck } from "./remaining-work.ts";
import { completeRepair, fixDue } from "./repair-late.ts";
import { runCheck } from "./run-check.ts";
import { addressIn } from "./spec-paths.ts";
import type { WholePorts } from "./with-memory.ts";
import { proofOfWork } from "./work-so-far.ts";

type Input = EffectInput<"checkWork">;

/**
 * Run the project check for all tasks that wait for it. A passed check counts as the Verify of each of these tasks,
 * compared with the check's run before their work. A failed check leads to a fix task below the task that broke it.
 * Checks that failed before and are unrelated to these tasks are left to later tasks.
 *
 * @see docs/verification.md
 */
export async function checkWork(ports: WholePorts, input: Input, signal: AbortSignal): Promise<Outcome<"checkWork">> {
  const { attempts, check } = ports;
  const { before: was = null } = attempts.checked() ?? {};
  const due = await fixDue(ports, input);
  if (due !== null) return { answer: { ...due, expected: leftBy(attempts.madeFor(attemptOf(input.key)), was) } };
  // The policy of this start may no longer have a project check.
  if (check == null) return { answer: checked(unknownBefore("", "the project check was removed")) };
  const { command } = check;
  const { plan } = await ports.plan.known();
  const waiting = tasksToCheck(ports, plan);
  const missing = await missingWord(ports, command);
  if (missing !== null && waiting.length === 0) return { answer: checked(notThere(command)) };
  if (missing !== null) return { answer: askAbout(ports, `the command \`${missing}\` does not exist here`) };
  const since = attempts.lastRun(command);
  const run = await runUnlessKnown(ports, { ...input, command, twice: waiting.length > 0 }, signal);
  const known = run === null ? (since as KnownRun) : knownRun(run);
  const facts = run === null ? {} : { verify: run };
  const now = beforeOf(command, known);
  if (waiting.length === 0) return { answer: checked(now), facts };
  const before =
    was?.command === command ? was : unknownBefore(command, "the project check was not run before the work");
  const failing = await failingIn(ports, { waiting, before, known });
  const { knownFailures } = input;
  const isOver = openIn((await remainingWork(ports, input)).work).length === 0;
  const left = isOver ? [] : failing.others;
  const isRepaired = knownFailures === "repair" && isOver && failing.others.length > 0;
  if (run !== null && (failing.own === null || failing.own.length > 0 || isRepaired)) {
    const trouble = troubleOf(ports, run, since);
    if (trouble !== null) return { answer: trouble, facts };
    const broken = { run: withoutChecks(run, left), task: null, since, ofProject: true };
    const { answer } = await completeRepair(ports, input, broken);
    return { answer: answer.kind === "broken" ? { ...answer, expected: namesIn(left) } : answer, facts };
  }
  if (left.length > 0) {
    return { answer: { ...checked(now), carried: waiting.map(({ id }) => id), expected: namesIn(left) }, facts };
  }
  const excused = failing.others.map(({ name, id }) => ({ name, id }));
  if (excused.length > 0 && knownFailures === "ask") {
    const names = excused.map(({ id }) => id);
    return { answer: renderKnownFailures(null, names, addressIn(ports)), facts };
  }
  const proofs = await proofsOf(ports, waiting, { before, known, guards: input.guard !== "off" });
  return { answer: { ...checked(now), proofs, ...(excused.length > 0 && { excused }) }, facts };
}

type Checked = Extract<Answer<"checkWork">, { kind: "checked" }>;

const checked = (before: Before): Checked => ({ kind: "checked", proofs: {}, before, carried: [], expected: [] });

/** Checks that failed before the work and are not covered by a recorded fix. */
function leftBy(fix: FixTask | null, before: Before | null): string[] {
  const ids = fix?.madeFor?.failing?.ids ?? null;
  return ids === null ? [] : namesIn(before?.reds ?? []).filter((name) => !ids.includes(name));
}

const namesIn = (checks: readonly RedCheck[]): string[] => checks.map(({ name }) => name);

function withoutChecks(run: VerifyRun, checks: readonly RedCheck[]): VerifyRun {
  const { digest } = run;
  if (digest === null || checks.length === 0) return run;
  const names = new Set(namesIn(checks));
  const failures = digest.failures.filter((check) => !names.has(nameOfCheck(check)));
  return { ...run, digest: { ...digest, failures, failed: failures.length } };
}

async function missingWord({ shell }: WholePorts, command: string): Promise<string | null> {
  const read = readVerify(writeCommand(command));
  const word = read.kind === "command" ? read.word : null;
  return word === null || (await shell.exists(word)) ? null : word;
}

/** Run the check; null if the last run passed on the same content. */
async function runUnlessKnown(
  ports: WholePorts,
  {
    key,
    timeoutMs,
    command,
    twice,
  }: Pick<Input, "key" | "timeoutMs"> & { readonly command: string; readonly twice: boolean },
  signal: AbortSignal,
): Promise<VerifyRun | null> {
  const last = ports.attempts.lastRun(command);
  const tree = await ports.trees?.now(signal);
  if (last?.passed === true && tree != null && last.tree === tree) return null;
  ports.onProgress?.({ type: "check.started", command, ofProject: true });
  const first = await runCheck(ports, { command, name: key, timeoutMs }, signal);
  if (first.digest === null || !twice) return first;
  const second = await runCheck(ports, { command, name: `${key}-again`, timeoutMs }, signal);
  const flaky = flakyIn(first, second);
  return flaky.length === 0 ? second : { ...second, flaky };
}

/** Failing checks, split by whether they count against the checked tasks. */
interface Failing {
  /** Checks that count against these tasks; null if their names are unknown. */
  readonly own: readonly RedCheck[] | null;
  /** Checks that failed before these tasks and are unrelated to them. */
  readonly others: readonly RedCheck[];
}

async function failingIn(
  { attempts, trees }: WholePorts,
  { waiting, before, known }: { readonly waiting: readonly Task[]; readonly before: Before; readonly known: KnownRun },
): Promise<Failing> {
  const counted = known.passed ? [] : countedIn(attempts, known);
  if (counted === null || counted.length === 0) return { own: counted, others: [] };
  const from = attempts.contentBefore((waiting[0] as Task).id);
  const changes = from === null || known.tree === null ? null : ((await trees?.changes(from, known.tree)) ?? null);
  const work = { named: waiting.flatMap(namesOf), changed: changes?.map(({ path }) => path) ?? null };
  const relates = await relatedIn(trees, known.tree, counted);
  const wasRed = new Set(namesIn(before.reds));
  const isOther = (red: RedCheck): boolean => wasRed.has(red.name) && !relates(red, work);
  return { own: counted.filter((red) => !isOther(red)), others: counted.filter(isOther) };
}

async function proofsOf(
  ports: WholePorts,
  tasks: readonly Task[],
  { before, known, guards }: { readonly before: Before; readonly known: KnownRun; readonly guards: boolean },
): Promise<Record<TaskId, Proof>> {
  const { attempts, trees } = ports;
  const from = attempts.contentBefore((tasks[0] as Task).id);
  const [harm] = guards ? await guardTogether(ports, { from, run: known, before }) : [];
  if (harm !== undefined) {
    const what = [harm.path, harm.what].filter((part) => part !== "").join(": ");
    const unproven: Proof = { kind: "unproven", reason: `its check was changed: ${escapeText(what)}` };
    return Object.fromEntries(tasks.map(({ id }) => [id, unproven]));
  }
  // The last content of a tree includes the changes by fixes of its task.
  const contents = new Map(attempts.passed().map(({ task, content }) => [attempts.rootOf(task), content]));
  const proofs: Record<TaskId, Proof> = {};
  for (const task of tasks) {
    const [from, to] = [attempts.contentBefore(task.id), contents.get(task.id) ?? null];
    const changes = from === null || to === null ? null : ((await trees?.changes(from, to)) ?? null);
    proofs[task.id] = proofOfWork(ports, task, { before, changes, counts: known.counts });
  }
  return proofs;
}

/** A question about a failed run; null if the work is the reason for the failure. */
function troubleOf(ports: WholePorts, { command, result }: VerifyRun, since: KnownRun | null): Question | null {
  const before = since && { exitCode: since.passed ? 0 : 1, timedOut: false };
  const { withheld = [] } = ports.shell.secrets ?? {};
  const trouble = verifyTrouble({ command, run: result, withheld, before });
  return trouble && askAbout(ports, trouble.question.replace("its Verify", "it"));
}

const askAbout = (ports: WholePorts, what: string): Question => ({
  kind: "gate",
  reason: `The project's check cannot be run: ${what}`,
  hint: `Give another command: ${commandLine(addressIn(ports), "run", { options: ["--verify", "<command>"] })}`,
});
