import { createRunMemory, type RunMemory } from "../effects/run-memory.ts";
import { verifyToRerun, withCheck } from "../markdown/tasks/read-verify.ts";
import { addressOf, commandLine, type SpecAddress } from "../model/command-line.ts";
import type { Explanation, Fact, Way } from "../model/explanation.ts";
import type { Limit } from "../model/limits.ts";
import { switchOf } from "../model/option.ts";
import { type NextTask, nextTask } from "../model/plan.ts";
import { leftOut } from "../model/plan-parts.ts";
import { projectCheck } from "../model/project-check.ts";
import { taskOf } from "../model/reply.ts";
import { at } from "../model/run-state.ts";
import { LadderChoices, type Rung } from "../model/rung.ts";
import { plannedTask, type TaskId } from "../model/task.ts";
import { previousOutcome } from "../run/previous-outcome.ts";

import { flagOf, mayBeRaised, raising } from "../wording/explain-denial.ts";
import { openQuestions, toldAbout } from "./open-questions.ts";
import type { RecordedRun, RecordedStart, TaskFamily } from "./recorded-run.ts";
import { skippedIn } from "./state-of.ts";

export interface StoppedTask {
  readonly run: RecordedRun;
  readonly facts: readonly Fact[];
  readonly task: TaskId;
  readonly root: TaskId;
  readonly rootOf: TaskFamily["rootOf"];
  readonly state: Explanation["state"];
}

type DecideWay = Extract<Way, { kind: "decide" }>;

/** Only a running coordinator can take the answer to its question. */
const answerThere: Way = {
  kind: "answer",
  hint: "answer the open question, in the terminal of the run or with fixpoint say",
};

export function nextActions(standing: StoppedTask): Way[] {
  const { run, facts, state, root, rootOf } = standing;
  const parked = run.starts.at(-1)?.policy.unattended === true ? at(recall(run).state.parked, root) : undefined;
  // Name the task, since other tasks may wait for a person, too.
  const named = parked === undefined ? [] : ["--task", taskOf(parked.key)];
  const resume = (...options: string[]): string =>
    commandLine(addressIn(run), "resume", { options: [...named, ...options] });
  const decide = (decision: DecideWay["decision"], task = root): DecideWay => {
    return { kind: "decide", decision, task, command: resume("--decision", decision) };
  };
  const retry = decide("retry");
  const told = toldAbout(run.starts);
  const leaveOut = (): Way[] => {
    const own = told !== null && rootOf(told) === root ? told : null;
    const asked = own ?? openQuestions(run.starts).find((question) => question.root === root)?.task ?? root;
    return asked === root ? [decide("skip")] : [decide("skip", asked), decide("skip-task")];
  };
  // If members of a batch ask several questions, only one is reported, and an answer goes to that question.
  const isOther = (about: TaskId | null): about is TaskId =>
    about !== null && rootOf(about) !== root && run.plan.tasks.some(({ id }) => id === rootOf(about));
  const behind = (about: TaskId): Way[] => [first(run, about), tick(run, root)];
  const guide: Way = { kind: "guide", command: resume("--guidance", "…") };
  switch (state) {
    case "passed":
      return [];
    case "running":
      return [isPaused(facts) ? { kind: "run", command: resume() } : { kind: "wait", until: untilWhen(facts) }];
    case "skipped":
      return [tick(run, root), ...takeUp(standing, retry)];
    case "limit":
      return pastLimit(standing);
    case "checkpoint":
      if (run.alive) return [answerThere];
      if (isOther(told)) return behind(told);
      return [...mend(standing), guide, retry, decide("skip"), tick(run, root)];
    case "gate": {
      if (run.alive) return [answerThere];
      if (isOther(told)) return behind(told);
      // A start that was stopped while it asked has not recorded the question.
      const asked = facts.findLast((fact) => fact.kind === "asked" || fact.kind === "decided");
      const answer: Way[] =
        asked?.kind !== "asked" || asked.decidable
          ? [retry, ...leaveOut(), guide]
          : asked.hint.split("\n").map((hint) => ({ kind: "answer", hint }));
      return [...mend(standing), ...answer, tick(run, root)];
    }
    case "open":
      return untilUp(standing);
  }
}

/** Offer to resume all skipped tasks at once, if the run ended without them. */
function takeUp({ run, root }: StoppedTask, retry: DecideWay): Way[] {
  const { skipped } = previousOutcome(recall(run).state);
  if (skipped === null) return [];
  const others = skipped.filter((task) => task !== root);
  return [others.length === 0 ? retry : { ...retry, others }];
}

function isPaused(facts: readonly Fact[]): boolean {
  const words = facts.flatMap((fact) => (fact.kind === "told" && fact.task === null ? [fact.words] : []));
  return words.findLast((word) => word === "pause" || word === "resume") === "pause";
}

function untilWhen(facts: readonly Fact[]): number | null {
  const last = facts.findLast(({ kind }) => kind !== "unheard");
  return last?.kind === "waited" ? last.until : null;
}

function pastLimit(standing: StoppedTask): Way[] {
  const { run, facts } = standing;
  const last = facts.findLast((fact) => fact.kind === "decided" || fact.kind === "denied") as Extract<
    Fact,
    { kind: "decided" | "denied" }
  >;
  const raise = (limit: Limit, max: number): Way[] => {
    if (!mayBeRaised({ limit, max })) return [];
    const options = raising({ limit, max }, usedBy(run));
    return [
      {
        kind: "raise",
        limit,
        flag: flagOf(limit),
        max,
        command: commandLine(addressIn(run), "run", { options }),
      },
    ];
  };
  if (last.kind === "denied") return raise(last.limit, last.max);
  const spent = last.considered.filter(({ passedOver }) => passedOver === "spent");
  const total = last.considered.some(({ passedOver }) => passedOver === "total") ? last.counts.total.max : null;
  const { recovery } = (run.starts.at(-1) as RecordedStart).policy;
  const isRetried = spent.every(({ rung }) => rung !== "retry");
  const edited = plannedTask(last.task);
  return [
    // Rungs without a limit are never passed over.
    ...spent.flatMap(({ limit, max }) => raise(limit as Limit, max as number)),
    ...(total === null ? [] : raise("maxTotalAttempts", total)),
    ...(total === null ? allowed(run, recovery, isRetried || isRecalled(facts)) : []),
    ...mend(standing),
    tick(run, edited),
    { ...tick(run, edited), kind: "edit", command: commandLine(addressIn(run), "run") },
  ];
}

/** The options that add rungs to a ladder, in ladder order. */
const rungsToAllow = [
  ["fix", LadderChoices.shape.recoveryMode],
  ["repair", LadderChoices.shape.repair],
  ["pivot", LadderChoices.shape.escalation],
] as const satisfies readonly (readonly [Rung, object])[];

/**
 * Offer to allow remedies that the ladder lacks and that a start would try.
 *
 * @param isAnswerable Whether the next start knows of a failure that a fix or a repair could address. If false, the
 * next start only tries the next level.
 */
const allowed = (run: RecordedRun, recovery: readonly Rung[], isAnswerable: boolean): Way[] =>
  rungsToAllow
    .filter(([rung]) => !recovery.includes(rung) && (isAnswerable || rung === "pivot"))
    .map(([rung, option]) => {
      const flag = switchOf(option);
      return { kind: "allow", rung, flag, command: commandLine(addressIn(run), "run", { options: [flag] }) };
    });

/**
 * Whether a start without iterations left knows of a failure. A rejected claim or a prompt that was too long is no
 * failure here.
 */
function isRecalled(facts: readonly Fact[]): boolean {
  const failures = facts.flatMap((fact) => (fact.kind === "failed" ? [fact.failure.kind] : []));
  return failures.length > 0 && !failures.includes("context-exhausted");
}

/**
 * Offer to continue. A start first reruns the `Verify` of the task that stopped the previous start, if that `Verify`
 * has ever failed.
 */
function mend({ run, root }: StoppedTask): Way[] {
  const memory = recall(run);
  const task = run.plan.tasks.find(({ id }) => id === root);
  if (task === undefined || previousOutcome(memory.state).stoppedAt !== root) return [];
  const { policy } = run.starts.at(-1) as RecordedStart;
  const verify = verifyToRerun(withCheck(task, projectCheck(policy)));
  if (verify === null || !memory.hasFailed(root, verify.command)) return [];
  return [{ kind: "mend", task: root, command: commandLine(addressIn(run), "run") }];
}

function recall({ starts }: RecordedRun): RunMemory {
  const memory = createRunMemory({ open: 0 });
  for (const record of starts.flatMap(({ records }) => records)) memory.apply(record);
  return memory;
}

const first = (run: RecordedRun, task: TaskId): Way => {
  return { kind: "first", task, command: commandLine(addressIn(run), "why", { task }) };
};

const addressIn = ({ address, spec }: RecordedRun): SpecAddress => address ?? addressOf(spec);

function usedBy({ starts }: RecordedRun) {
  const last = starts.at(-1)?.records.at(-1);
  const ending = last?.type === "ended" ? last.ending : null;
  return {
    iterations: ending?.attempts ?? 0,
    elapsedMs: ending?.durationMs ?? 0,
    costUsd: ending?.costUsd ?? 0,
    tokens: ending?.tokens ?? 0,
  };
}

const tick = ({ plan }: RecordedRun, task: TaskId) => ({
  kind: "tick" as const,
  task,
  line: plan.tasks.find(({ id }) => id === task)?.line ?? null,
});

/** Find what blocks an open task. If nothing blocks the task, resuming the run is enough. */
function untilUp({ run, task }: StoppedTask): Way[] {
  const { plan, starts, alive } = run;
  const planned = plannedTask(task);
  // A removed task will not be done.
  if (plan.tasks.every(({ id }) => id !== planned)) return [];
  const out = leftOut(plan, skippedIn(starts.flatMap(({ records }) => records)));
  // There is a next task: at least this task is open.
  const next = nextTask({ tasks: plan.tasks.filter(({ id }) => !out.has(id)) }) as NextTask;
  if (next.current !== planned) {
    return [first(run, next.current)];
  }
  return [alive ? { kind: "wait", until: null } : { kind: "run", command: commandLine(addressIn(run), "run") }];
}
