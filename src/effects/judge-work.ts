import { addsFailures, isSameFile, knownRun, without } from "../evidence/judge-runs.ts";
import { reachesOut } from "../evidence/may-recheck.ts";
import { readPaths } from "../markdown/lint/find-shared-files.ts";
import type { KnownRun, RedCheck } from "../model/check-run.ts";
import type { EffectInput } from "../model/effect.ts";
import type { Proof } from "../model/evidence.ts";
import type { Question } from "../model/person-event.ts";
import { attemptOf } from "../model/reply.ts";
import { kindOf, type Task } from "../model/task.ts";
import type { VerifyRun } from "../ports/attempt-record.ts";
import type { TreeChange } from "../ports/git.ts";
import { renderHarm, renderKnownFailures } from "../wording/render-harm.ts";
import { relatedIn } from "./find-in-content.ts";
import { guardWork, type Harmed } from "./guard-work.ts";
import { addressIn } from "./spec-paths.ts";
import { redBefore } from "./verify-before.ts";
import type { WholePorts } from "./with-memory.ts";
import { changesSoFar, filesMade, proofOfWork } from "./work-so-far.ts";

export interface WorkJudged {
  /** The run that decides: the second run if the first run was doubtful. */
  readonly run: VerifyRun;
  readonly proof: Proof | null;
  readonly question: Question | null;
  readonly changes: readonly TreeChange[] | null;
  /** Checks that were red before the run and are ignored. */
  readonly excused: readonly RedCheck[];
  /** Whether the content changed since the previous run; null if unknown. */
  readonly changed: boolean | null;
  /** Files of a `[RED]` task; their checks are ignored until the next `[GREEN]`. */
  readonly made: readonly string[] | null;
}

interface Judging {
  readonly task: Task;
  readonly knownFailures: NonNullable<EffectInput<"verify">["knownFailures"]>;
  readonly grouped: boolean;
}

/**
 * Judge the work on a task by a Verify run. If the run contradicts the previous one without a change that explains it,
 * the command runs again and the second run decides. A run that fails while other tasks are running is also repeated,
 * once they have ended.
 *
 * @see docs/verification.md
 */
export async function judgeWork(
  ports: WholePorts,
  { task, knownFailures, grouped }: Judging,
  first: VerifyRun,
  again: () => Promise<VerifyRun>,
  signal: AbortSignal,
): Promise<WorkJudged> {
  const { attempts } = ports;
  const before = attempts.before(task.id) ?? redBefore(ports, task, first.command);
  const last = attempts.lastRun(first.command);
  const run = await runThatCounts(ports, { last, first, grouped, task }, again, signal);
  const content = attempts.contentBefore(task.id);
  const changes = await changesSoFar(ports, task, run.tree);
  const from = last === null ? content : last.tree;
  const changed = from === null || run.tree == null ? null : from !== run.tree;
  const judged = {
    run,
    question: null,
    excused: [],
    changes,
    changed,
    made: kindOf(task) === "red" && changes !== null ? filesMade(changes) : null,
  };
  const now = knownRun(run);
  if (kindOf(task) === "red" && addsFailures(before, { ...run.result, digest: run.digest }, now.reds)) {
    return { ...judged, proof: { kind: "proven" } };
  }
  const excuses = await excusesFor(ports, { task, knownFailures, grouped, run, changes });
  if (!now.passed && !excuses.all) return { ...judged, proof: null };
  if (excuses.asked.length > 0) {
    return { ...judged, proof: null, question: renderKnownFailures(task.id, excuses.asked, addressIn(ports)) };
  }
  const unchanged = last === null || !turnedGreen(last, now) ? null : isSame(last, run);
  const proof = proofOfWork(ports, task, {
    before: without(before, excuses.names),
    changes,
    unchanged,
    counts: now.counts,
  });
  return { ...judged, excused: excuses.known, proof };
}

interface Excuses {
  readonly names: ReadonlySet<string>;
  /** Whether all red checks are excused. */
  readonly all: boolean;
  /** Excused checks that were red before the run began. */
  readonly known: readonly RedCheck[];
  readonly asked: readonly string[];
}

const none: Excuses = { names: new Set(), all: false, known: [], asked: [] };

/**
 * Find the red checks that are excused. These are tests that a `[RED]` task wrote, checks of later tasks or of other
 * batch members, and unrelated checks that were red before the run.
 */
async function excusesFor(
  ports: WholePorts,
  { task, knownFailures, grouped, run, changes }: Judging & Pick<WorkJudged, "run" | "changes">,
): Promise<Excuses> {
  const { attempts, trees } = ports;
  const { reds, failing } = knownRun(run);
  if (reds.length === 0 || failing === null || failing.count !== reds.length) return none;
  const given = kindOf(task) === "green" ? [] : attempts.given();
  const expected = new Set(attempts.checked()?.expected);
  const isGiven = ({ name, file }: RedCheck): boolean =>
    expected.has(name) || given.some((path) => file !== null && isSameFile(file, path));
  const known = new Set(attempts.redAtFirst(run.command));
  const others = reds.filter((check) => !isGiven(check));
  const work = { named: namesOf(task), changed: changes?.map(({ path }) => path) ?? null };
  const relates = await relatedIn(trees, run.tree, others);
  const unrelated = others.filter((check) => !relates(check, work));
  const old = unrelated.filter(({ name }) => known.has(name));
  const excused = grouped ? unrelated : old;
  const hasWorked = changes !== null && changes.length > 0;
  // With `repair`, known failures do not excuse a fix task, since the task may be meant to repair them.
  const mayBe = knownFailures === "repair" && !grouped && task.fixOf !== null ? [] : excused;
  const names = new Set([...reds.filter(isGiven), ...mayBe].map(({ name }) => name));
  const all = names.size === reds.length && (hasWorked || mayBe.length === 0);
  const asked = all && knownFailures === "ask" && !grouped ? mayBe : [];
  const kept = all && knownFailures !== "repair" ? old : [];
  return { names, all, known: kept, asked: asked.map(({ id }) => id) };
}

/** Paths named in the `Files` field or the text of a task. */
export const namesOf = ({ title, fields }: Task): string[] => [
  ...readPaths(fields.files ?? ""),
  ...`${title} ${fields.do ?? ""}`.split(/[\s`'"()<>,;]+/).filter((word) => /^[\w@.-]*(?:\/[\w@.-]+)+$/.test(word)),
];

async function runThatCounts(
  ports: WholePorts,
  { last, first, grouped, task }: { last: KnownRun | null; first: VerifyRun; grouped: boolean; task: Task },
  again: () => Promise<VerifyRun>,
  signal: AbortSignal,
): Promise<VerifyRun> {
  if (reachesOut(first.command)) return first;
  if (grouped && first.digest !== null) return ports.attempts.alone(task.id, again, signal);
  if (!(await isDoubtful(ports, last, first))) return first;
  const second = await again();
  const flaky = flakyIn(first, second);
  return flaky.length === 0 ? second : { ...second, flaky };
}

/** Whether a check that failed in the previous run passes now; excused checks may fail in both runs. */
function turnedGreen(last: KnownRun, now: KnownRun): boolean {
  const still = new Set(now.reds.map(({ name }) => name));
  return !last.passed && (now.passed || last.reds.some(({ name }) => !still.has(name)));
}

const isSame = ({ tree }: Pick<KnownRun, "tree">, { tree: now }: VerifyRun): boolean | null =>
  tree === null || now == null ? null : tree === now;

/** Whether a run contradicts the previous run, although no change since then explains the difference. */
async function isDoubtful({ trees }: WholePorts, last: KnownRun | null, run: VerifyRun): Promise<boolean> {
  if (last === null || last.tree === null || run.tree == null || run.result.timedOut) return false;
  const now = knownRun(run);
  if (isSame(last, run) === true) return now.passed !== last.passed;
  const known = new Set(last.reds.map(({ name }) => name));
  // Without names for all earlier failures, new failures cannot be recognised.
  const isNamed = last.passed || last.failing?.ids != null;
  const isFresh = now.reds.length > 0 && now.reds.every(({ name, file }) => !known.has(name) && file !== null);
  if (!isNamed || !isFresh) return false;
  const changes = (await trees?.changes(last.tree, run.tree)) ?? null;
  return changes !== null && now.reds.every(({ file }) => !changes.some(({ path }) => isSameFile(file ?? "", path)));
}

export function flakyIn(first: VerifyRun, second: VerifyRun): string[] {
  const still = new Set(knownRun(second).reds.map(({ name }) => name));
  return knownRun(first).reds.flatMap(({ name }) => (still.has(name) ? [] : [name]));
}

export const askAbout = (harmed: Harmed | null) =>
  harmed && { question: renderHarm(harmed, "reject")?.question ?? "", covers: [...harmed.covers] };

/** Find damage to the proof of a task or to other work, if the task's Verify passes. */
export async function lookForHarm(
  ports: WholePorts,
  { guard = "off" }: EffectInput<"verify">,
  task: Task,
  { run, proof, changes }: Pick<WorkJudged, "changes" | "proof"> & { readonly run: VerifyRun | null },
): Promise<Harmed | null> {
  if (guard === "off" || run === null || proof === null || changes === null) return null;
  return guardWork(ports, task, { run, changes, before: ports.attempts.before(task.id) });
}

/** Find work of other tasks that was undone, when an attempt is accepted without running its Verify. */
export async function lookForUndone(
  ports: WholePorts,
  { key, guard = "off", trustExecutor }: EffectInput<"verify">,
  task: Task,
): Promise<Harmed | null> {
  const { attempts, trees } = ports;
  if (guard === "off" || trustExecutor || trees?.keeps !== true || attempts.passed().length === 0) return null;
  const changes = await changesSoFar(ports, task, (await attempts.recall(attemptOf(key))).left);
  return changes && guardWork(ports, task, { run: null, changes, before: null });
}
