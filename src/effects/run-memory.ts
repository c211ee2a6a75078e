import { InvariantError } from "../model/errors.ts";
import type { FixTask } from "../model/fix-task.ts";
import { emptyLedger, type Ledger, type SpentByTask, spentOn } from "../model/ledger.ts";
import type { RunLimits } from "../model/policy.ts";
import type { ReplyRecord, RunRecord } from "../model/record.ts";
import { type AttemptKey, attemptOf, type Reply, taskOf, type Usage } from "../model/reply.ts";
import { descendsFrom, type TaskId } from "../model/task-id.ts";
import type { AdmittedDelegation, AttemptRecord, Attempts, VerifyRun } from "../ports.ts";
import { checkBudget } from "../recover/check-budget.ts";

/** Where a run memory writes what it learns, and keeps replies that are too long for a record. */
export interface RunStore {
  /** Append a record; a durable one survives a power cut once this returns. */
  append(record: RunRecord, options: { readonly durable: boolean }): void;
  writeOutput(key: AttemptKey, text: string): void;
  readOutput(key: AttemptKey): Promise<string>;
}

/** The memory of a run, and what a host needs to keep it across restarts. */
export interface RunMemory extends Attempts {
  readonly ledger: Ledger;
  /** Tasks this run has accepted. */
  readonly accepted: ReadonlySet<TaskId>;
  /** Take in a record of an earlier start. */
  fold(record: RunRecord): void;
  /** Record the answer to an effect, with what was kept of its attempt since the answer before. */
  recordAnswer(key: string, answer: unknown): void;
}

/** Characters of a reply that are kept in its record; longer ones lie in a file of their own. */
const inlineReply = 4096;

const nowhere: RunStore = { append: () => {}, writeOutput: () => {}, readOutput: async () => "" };

/** What a run remembers. Without a store it is kept in memory only. */
export function createRunMemory({
  open,
  seed = { iterations: 0, tasks: {} },
  store = nowhere,
  elapsedMs = () => 0,
  onAdmit = () => {},
  onUnknownUsage = () => {},
}: {
  /** Tasks that were open when the run began; those of its first turn when not given. */
  open?: number | undefined;
  /** What had been spent before the first record, in a run that was taken over. */
  seed?: Pick<Ledger, "iterations" | "tasks">;
  store?: RunStore;
  /** Working time of the run so far. */
  elapsedMs?: () => number;
  /** Told of every delegation that was admitted, with its number in the run. */
  onAdmit?: (delegation: AdmittedDelegation, iteration: number) => void;
  /** Told once when a limit on cost or tokens is set and an executor does not say what it used. */
  onUnknownUsage?: () => void;
} = {}): RunMemory {
  const tasks: SpentByTask = { ...seed.tasks };
  const unknown = { cost: false, tokens: false, said: false };
  const spentOnRun = { iterations: seed.iterations, costUsd: 0, tokens: 0 };
  const attempts = new Map<AttemptKey, AttemptRecord & { outside: boolean }>();
  const unrecorded = new Map<AttemptKey, { reply?: ReplyRecord; verify?: VerifyRun }>();
  const intentions = new Map<AttemptKey, FixTask>();
  const fixes = new Map<TaskId, FixTask>();
  const accepted = new Set<TaskId>();
  const ledger = (): Ledger => ({ ...emptyLedger, ...spentOnRun, tasks, open: open ?? 0, elapsedMs: elapsedMs() });

  const noteUsage = ({ inputTokens, outputTokens, costUsd }: Usage = {}): void => {
    spentOnRun.tokens += (inputTokens ?? 0) + (outputTokens ?? 0);
    spentOnRun.costUsd += costUsd ?? 0;
    unknown.cost ||= costUsd === undefined;
    unknown.tokens ||= inputTokens === undefined && outputTokens === undefined;
  };
  const warnOfUnknownUsage = ({ maxCost, maxTokens }: RunLimits): void => {
    if (unknown.said || !((maxCost !== null && unknown.cost) || (maxTokens !== null && unknown.tokens))) return;
    unknown.said = true;
    onUnknownUsage();
  };
  const fold = (record: RunRecord): void => {
    if (record.type === "delegated") {
      spentOnRun.iterations++;
      const { attempt, retries } = record;
      tasks[record.task] = { ...spentOn(tasks, record.task), attempts: attempt, retries };
    } else if (record.type === "intended") {
      const { fix } = record;
      intentions.set(record.key, fix);
      fixes.set(fix.id, fix);
      const spent = spentOn(tasks, fix.fixOf);
      tasks[fix.fixOf] = { ...spent, fixes: [...spent.fixes, fix.id] };
    } else if (record.type === "dropped") {
      const { fixOf } = fixes.get(record.fix) ?? { fixOf: record.fix };
      const spent = spentOn(tasks, fixOf);
      tasks[fixOf] = { ...spent, fixes: spent.fixes.filter((fix) => fix !== record.fix) };
      fixes.delete(record.fix);
    } else if (record.type === "reset") {
      tasks[record.task] = { ...spentOn(tasks, record.task), retries: 0 };
    } else if (record.type === "answered") {
      const key = attemptOf(record.key);
      if (record.reply !== undefined) {
        const { text, headBefore, ...reply } = record.reply;
        noteUsage(reply.usage);
        remember(key, { reply: given({ ...reply, text: text ?? "" }), headBefore, verify: null }, text === null);
      }
      const before = attempts.get(key);
      noteAnswer(record.key);
      if (record.verify !== undefined && before !== undefined) attempts.set(key, { ...before, verify: record.verify });
    }
  };
  const noteAnswer = (key: string): void => {
    if (key.endsWith("/recordPass")) accepted.add(taskOf(key));
  };
  const remember = (key: AttemptKey, record: AttemptRecord, outside: boolean): void => {
    attempts.set(key, { ...record, outside });
  };
  const recall = async (key: AttemptKey): Promise<AttemptRecord> => {
    const kept = attempts.get(key);
    if (kept === undefined) {
      throw new InvariantError(`Cannot recall attempt \`${key}\`, expected it to have been made in this run`, {
        code: "attempt-unknown",
      });
    }
    const { outside, ...record } = kept;
    return outside ? { ...record, reply: { ...record.reply, text: await store.readOutput(key) } } : record;
  };

  return {
    get ledger() {
      return ledger();
    },
    accepted,
    beginTurn: (openTasks) => {
      open ??= openTasks;
      attempts.clear();
      intentions.clear();
    },
    fold,
    admit: async (delegation, limits) => {
      const { key, task, role, attempt, retries } = delegation;
      warnOfUnknownUsage(limits);
      const denial = checkBudget(ledger(), limits);
      if (denial !== null) return { ...denial, task };
      const record: RunRecord = { type: "delegated", key, task, role, attempt, retries, elapsedMs: elapsedMs() };
      store.append(record, { durable: true });
      fold(record);
      onAdmit(delegation, spentOnRun.iterations);
      return null;
    },
    denial: (limits) => checkBudget(ledger(), limits),
    keepReply: (key, reply, headBefore) => {
      const { text, ...rest } = reply;
      const long = text.length > inlineReply;
      if (long) store.writeOutput(key, text);
      noteUsage(reply.usage);
      remember(key, { reply, headBefore, verify: null }, false);
      unrecorded.set(key, { reply: { ...rest, text: long ? null : text, headBefore } });
    },
    keepVerify: (key, verify) => {
      const before = attempts.get(key);
      if (before !== undefined) attempts.set(key, { ...before, verify });
      unrecorded.set(key, { ...unrecorded.get(key), verify });
    },
    recall,
    earlier: (key) => {
      const earlier = [...attempts.keys()].filter((attempt) => attempt !== key && taskOf(attempt) === taskOf(key));
      return Promise.all(earlier.map(async (attempt) => ({ attempt, text: (await recall(attempt)).reply.text })));
    },
    intend: async (key, fix) => {
      const known = intentions.get(key);
      if (known !== undefined) return known;
      const record: RunRecord = { type: "intended", key, fix };
      store.append(record, { durable: true });
      fold(record);
      return fix;
    },
    intended: (fix) => fixes.get(fix) ?? null,
    spent: (root) => Object.fromEntries(treeOf(tasks, root).map((id) => [id, spentOn(tasks, id)])),
    recordAnswer: (key, answer) => {
      const attempt = attemptOf(key);
      store.append({ type: "answered", key, answer, ...unrecorded.get(attempt) }, { durable: false });
      unrecorded.delete(attempt);
      noteAnswer(key);
    },
  };
}

/** A task and all fixes below it that have spent something. */
const treeOf = (tasks: SpentByTask, root: TaskId): TaskId[] =>
  Object.hasOwn(tasks, root) ? [root, ...fixesOf(tasks, root).flatMap((fix) => treeOf(tasks, fix))] : [];

/** Fixes by their id below a task; a state file of others may name any. */
const fixesOf = (tasks: SpentByTask, task: TaskId): TaskId[] =>
  spentOn(tasks, task).fixes.filter((fix) => descendsFrom(fix, task));

/** A reply without the fields that were not given. */
const given = (reply: { [Field in keyof Reply]: Reply[Field] | undefined }): Reply =>
  Object.fromEntries(Object.entries(reply).filter(([, value]) => value !== undefined)) as unknown as Reply;
