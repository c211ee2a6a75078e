import { InvariantError } from "../model/errors.ts";
import { partsOf } from "../model/ledger.ts";
import { type AttemptKey, nameOfAct, type Reply, taskOf } from "../model/reply.ts";
import { at, type RunState } from "../model/run-state.ts";
import { textOf } from "../model/splice.ts";
import { partNumber, type TaskId, wholeOf } from "../model/task.ts";
import type { AttemptRecord } from "../ports/attempt-record.ts";
import type { Attempts } from "../ports/attempts.ts";
import { renderVerdict } from "../wording/render-verdict.ts";
import { bookOf } from "./pull-request.ts";
import { isRepaired, rootOf, spentIn } from "./spending.ts";
import { escalationOf, treeOf } from "./trees.ts";

type Recalled = Omit<AttemptRecord, "live">;

export interface Selected
  extends Pick<
    Attempts,
    | "planSeen"
    | "handedOut"
    | "baseline"
    | "lastCheck"
    | "hasFailed"
    | "lastRun"
    | "before"
    | "contentBefore"
    | "found"
    | "foundFirst"
    | "leftIn"
    | "apart"
    | "toMerge"
    | "wasApart"
    | "race"
    | "collision"
    | "reds"
    | "allowed"
    | "rootOf"
    | "batched"
    | "flaky"
    | "redAtFirst"
    | "given"
    | "excused"
    | "checked"
    | "knows"
    | "earlier"
    | "findings"
    | "inFlight"
    | "intended"
    | "madeFor"
    | "passed"
    | "proofs"
    | "superseded"
    | "planned"
    | "changesOf"
    | "sequential"
    | "unlogged"
    | "spent"
    | "isRepaired"
    | "meets"
    | "newDenial"
    | "deniedBefore"
    | "escalation"
    | "repairs"
    | "openQuestion"
    | "part"
    | "skipped"
    | "parked"
    | "guidance"
    | "reported"
    | "pullRequest"
    | "addition"
  > {
  unjudged(): readonly AttemptKey[];
  /** @throws {InvariantError} `attempt-unknown` */
  recall(key: AttemptKey): Promise<Recalled>;
}

/**
 * @param now The current state.
 * @param readOutput Reads a reply that is too long for a record.
 */
export function select(now: () => RunState, readOutput: (key: AttemptKey) => Promise<string>): Selected {
  const recall = async (key: AttemptKey): Promise<Recalled> => {
    const made = at(now().turn.attempts, key);
    if (made === undefined) {
      throw new InvariantError(`Cannot recall attempt \`${key}\`, expected it to have been made in this run`, {
        code: "attempt-unknown",
      });
    }
    const { text, headBefore, mark = null, fileState = null, tree = null, ...rest } = made.reply;
    const reply = { ...rest, text: text ?? (await readOutput(key)) } as Reply;
    return {
      reply,
      headBefore,
      mark,
      fileState,
      found: at(now().turn.found, key) ?? null,
      left: tree,
      verify: made.verify,
      reality: made.reality,
      judgement: made.judgement,
      concluded: made.concluded,
      boxes: made.boxes,
      review: made.review,
      refusal: made.refusal,
      failure: made.failure,
    };
  };
  const ofTask = (task: TaskId): AttemptKey[] => Object.keys(now().turn.attempts).filter((key) => taskOf(key) === task);
  return {
    recall,
    planSeen: () => {
      const { plan } = now();
      return plan && textOf(plan);
    },
    handedOut: () => now().turn.handedOut,
    baseline: (key) => at(now().turn.baselines, key) ?? null,
    lastCheck: (command) => {
      const { passed = null, failed = null } = at(now().checks, command) ?? {};
      const name = passed ?? failed;
      return name === null ? null : { command, name, passed: passed !== null };
    },
    lastRun: (command) => at(now().checks, command)?.last ?? null,
    before: (task) => at(treeOf(now(), rootOf(now(), task)).befores ?? {}, task) ?? null,
    contentBefore: (task) => treeOf(now(), rootOf(now(), task)).content ?? null,
    found: (key) => at(now().turn.found, key) ?? null,
    foundFirst: (task) =>
      (rootOf(now(), task) === task ? treeOf(now(), task).content : undefined) ??
      Object.entries(now().turn.found).find(([key]) => taskOf(key) === task)?.[1] ??
      null,
    apart: (root) => {
      const { apart, content = null, merged } = treeOf(now(), root);
      return apart === true && merged !== true ? content : null;
    },
    wasApart: (root) => treeOf(now(), root).apart === true,
    toMerge: () =>
      Object.keys(now().owed).filter((root) => {
        const { apart, merged } = treeOf(now(), root);
        return apart === true && merged !== true;
      }),
    race: (task) => at(now().turn.races, task) ?? null,
    collision: (root) => treeOf(now(), root).collision ?? null,
    leftIn: (task) => treeOf(now(), rootOf(now(), task)).left ?? null,
    flaky: () => new Set(Object.entries(now().flaky).flatMap(([name, count]) => (count > 1 ? [name] : []))),
    redAtFirst: (command) => at(now().checks, command)?.atFirst ?? [],
    given: () => now().given,
    excused: () => now().excused,
    checked: () => now().checked,
    allowed: (task) => treeOf(now(), rootOf(now(), task)).allowed ?? [],
    rootOf: (task) => rootOf(now(), task),
    batched: () => now().batch,
    reds: (task) => treeOf(now(), rootOf(now(), task)).reds ?? [],
    hasFailed: (task, command) => {
      const root = rootOf(now(), task);
      return Object.entries(now().checks).some(
        ([line, { failed }]) => command === line && failed !== null && rootOf(now(), taskOf(failed)) === root,
      );
    },
    knows: (key) => Object.hasOwn(now().turn.attempts, key),
    unjudged: () =>
      Object.entries(now().turn.attempts).flatMap(([key, { judgement, concluded }]) =>
        concluded === null && judgement === null ? [key] : [],
      ),
    earlier: (key) =>
      Promise.all(
        ofTask(taskOf(key))
          .filter((attempt) => attempt !== key)
          .map(async (attempt) => {
            const { reply, judgement, review, refusal } = await recall(attempt);
            return { attempt, text: reply.text, verdict: renderVerdict({ judgement, review, refusal }) };
          }),
      ),
    findings: (task) =>
      ofTask(task).flatMap((key) => {
        const review = at(now().turn.attempts, key)?.review ?? null;
        return review === null || review.verdict === "pass" ? [] : [`${review.code}\n${review.spec}`.trim()];
      }),
    inFlight: () => new Set(Object.keys(now().turn.inFlight)),
    madeFor: (attempt) => at(now().turn.fixes, attempt) ?? null,
    proofs: () => new Map(Object.entries(now().proofs)),
    passed: () => Object.entries(now().contents).map(([task, content]) => ({ task, content })),
    intended: (fix) => at(now().fixes, fix) ?? null,
    superseded: () => new Map(Object.entries(now().superseded)),
    planned: (key) => at(now().turn.changes, key) ?? null,
    changesOf: (task) => ({ count: at(now().changes, task) ?? 0, depth: at(now().generations, task) ?? 0 }),
    sequential: () => new Set(Object.keys(now().sequential)),
    unlogged: () => new Map(Object.entries(now().owed)),
    spent: (root) => spentIn(now(), root),
    isRepaired: (task) => isRepaired(now(), task),
    meets: (task, what) => {
      const { trouble } = now();
      return what === trouble.what ? new Set([...trouble.tasks, task]).size : 1;
    },
    newDenial: (task, denials) => {
      const { denied = [] } = treeOf(now(), rootOf(now(), task));
      return denials.find((each) => !denied.includes(nameOfAct(each))) ?? null;
    },
    deniedBefore: (key) => {
      const root = rootOf(now(), taskOf(key));
      return Object.entries(now().turn.attempts).some(
        ([other, { reply }]) =>
          other !== key && rootOf(now(), taskOf(other)) === root && (reply.denials ?? []).length > 0,
      );
    },
    escalation: (root) => escalationOf(now(), root),
    repairs: (root) => treeOf(now(), rootOf(now(), root)).repairs ?? [],
    openQuestion: (task) => {
      const { question } = treeOf(now(), rootOf(now(), task));
      // Include questions about parts: a part is not in the plan, so its whole task is chosen.
      return question !== undefined && (question.task === task || wholeOf(question.task) === task)
        ? question.text
        : null;
    },
    part: (task) => {
      const whole = wholeOf(task);
      return whole === null ? null : (partsOf(now().tasks, whole)[partNumber(task) - 1] ?? null);
    },
    skipped: () => new Map(Object.entries(now().skipped)),
    parked: () => new Map(Object.entries(now().parked).filter(([, { again }]) => again !== true)),
    guidance: (root) => treeOf(now(), root).guidance || null,
    pullRequest: () => bookOf(now()),
    addition: (key) => {
      const { addition } = now().turn;
      return addition?.key === key ? addition : null;
    },
    reported: () => new Map(Object.entries(now().reports)),
  };
}
