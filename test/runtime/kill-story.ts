import type { AnyStateMachine } from "xstate";
import { createSpecMachine } from "../../machines/spec.ts";
import type { RunEnded, RunEvent } from "../../src/model/event.ts";
import { Policy, type PolicyInput } from "../../src/model/policy.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import type { Reply } from "../../src/model/reply.ts";
import type { TaskContext } from "../../src/model/task-context.ts";
import type { Clock } from "../../src/ports/clock.ts";
import type { Delegation, Executor } from "../../src/ports/executor.ts";
import type { PersonAnswer } from "../../src/ports/person.ts";
import type { Ports } from "../../src/ports/ports.ts";
import type { Shell } from "../../src/ports/shell.ts";
import { currentTurn, replayTurn, turnOf } from "../../src/runtime/replay.ts";
import { createRunControl, type RunControl } from "../../src/runtime/run-control.ts";
import { isMachine, machineAt } from "../../src/runtime/step-state.ts";
import { asksPerson } from "../../src/runtime/walk.ts";
import { failedReply } from "../../src/testing/scripted-executor.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { goOn, type MemoryRun, newRun } from "../support/memory-run.ts";

/** What answers in a story follow from: nothing else survives a kill. */
export interface World {
  readonly made: MemoryRun;
  readonly clock: Clock;
  /** Says something to the run while it is under way. */
  readonly control: RunControl;
}

type Told = string | Reply | ((world: World) => string | Reply);

/** A run in which everybody answers by a script, whenever and however often they are asked the same. */
export interface Story {
  readonly name: string;
  readonly plan: string;
  readonly policy: PolicyInput;
  /** How each of its starts ends; the run is started as often. */
  readonly outcomes: readonly RunEnded["outcome"][];
  /** Per task what its attempts answer, by their numbers; those that are not in it claim the task. */
  readonly attempts?: Readonly<Record<string, readonly (Told | null)[]>>;
  /** What the repair operator answers, by key. */
  readonly operator?: Readonly<Record<string, Told>>;
  /** What the reviewer answers, by key; nobody reviews when it is not given. */
  readonly reviewer?: Readonly<Record<string, string>>;
  /** What a person answers to each question of the run; from one that is null on nobody is there in that start. */
  readonly person?: readonly (PersonAnswer | null)[];
  /** How a Verify command exits, by task, with each of its attempts; 0 for those that are not in it. */
  readonly exits?: Readonly<Record<string, readonly number[]>>;
  /** What a Verify command prints, by task, with each attempt on it or a fix below it; it passes with those not in it. */
  readonly prints?: Readonly<Record<string, readonly string[]>>;
  readonly fileState?: (world: World) => string;
  readonly onEvent?: (event: RunEvent, control: RunControl) => void;
  /** Killed twice as well. */
  readonly isTriedTwice?: boolean;
}

/** A task with a Verify of its own. */
export const block = (id: string, title: string): string =>
  `- [ ] ${id} ${title}\n  - **Do**: Make ${id}\n  - **Files**: src/${id}.ts\n  - **Done when**: It is there\n  - **Verify**: \`check ${id}\`\n  - **Commit**: \`feat: ${id}\`\n`;
export const planOf = (...blocks: readonly string[]): string => `# Tasks\n\n## Phase 1: Work\n\n${blocks.join("\n")}`;

/** An attempt that fails, and says what it tried and found. */
export const failing = (task: string, error: string, ...said: readonly string[]): string =>
  [failedReply(task, error, `Went after ${error}`), ...said].join("\n");

/** The telling of a story, start by start. */
export function tell(story: Story) {
  const made = newRun(story.plan);
  let clock = stillClock();
  // A kill may come at any time since the last record.
  let recordedAt = 0;
  const prompts = new Map<string, string>();
  let control = createRunControl();
  const world: World = {
    made,
    get clock() {
      return clock;
    },
    get control() {
      return control;
    },
  };
  const ofWorld = (told: Told): string | Reply => (typeof told === "function" ? told(world) : told);
  const answering =
    (answer: (delegation: Delegation) => Told | null | undefined): Executor =>
    async (delegation) => {
      prompts.set(delegation.key, delegation.prompt);
      const { taskId, role } = delegation;
      // Members of a batch end at different times.
      for (let left = Number(taskId.at(-1)) * 3 || 0; left > 0; left--) await Promise.resolve();
      return ofWorld(answer(delegation) ?? (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE"));
    };
  const executor = answering(({ taskId, attempt }) => story.attempts?.[taskId]?.[attempt - 1]);
  const operator = answering(({ key }) => story.operator?.[key] ?? "ESCALATE: everything | what to do");
  const reviewer = answering(({ key }) => story.reviewer?.[key] ?? "REVIEW_PASS");
  const shell: Shell = {
    exists: async () => true,
    run: async (command) => {
      const task = command.replace("check ", "");
      const attempts = made.records.filter(({ type, ...record }) => type === "delegated" && isOf(record, task));
      const numbers = new Set(attempts.map((record) => (record.type === "delegated" ? record.attempt : 0)));
      const ended = { durationMs: 0, timedOut: false };
      if (story.prints?.[task] !== undefined) {
        const stdout = story.prints[task][attemptsBelow(made.records, task) - 1] ?? "";
        return { exitCode: stdout === "" ? 0 : 1, stdout, stderr: "", ...ended };
      }
      const exitCode = story.exits?.[task]?.[numbers.size - 1] ?? 0;
      const stderr = exitCode === 0 ? "" : `${task} is wrong\n`;
      return { exitCode, stdout: "", stderr, ...ended };
    },
  };
  const start = async (asksAgain: boolean, killedAt?: number): Promise<RunEnded | null> => {
    control = createRunControl();
    clock = stillClock(recordedAt);
    let writtenAt = recordedAt;
    const before = answeredIn(made.records);
    const ports: Partial<Ports> = {
      executors: { executor, verifier: executor, operator, ...(story.reviewer !== undefined && { reviewer }) },
      clock,
      consent: async () => ({ given: true }),
      person: async () => nextAnswer(story, answeredIn(made.records), before, asksAgain),
      ...(story.fileState !== undefined && { fileState: async () => story.fileState?.(world) ?? null }),
    };
    const ended = await goOn(made, executor, {
      ...{ policy: story.policy, shell, ports, asksAgain, heard: control },
      onEvent: (event) => story.onEvent?.(event, control),
      onRecords: () => {
        recordedAt = writtenAt;
        writtenAt = clock.now();
      },
      ...(killedAt !== undefined && { killedAt }),
    });
    if (ended !== null) recordedAt = writtenAt;
    return ended;
  };
  return { ...made, prompts, start };
}

const isOf = (record: object, task: string): boolean => "task" in record && record.task === task;

/** Attempts on a task and the fixes below it, each once. */
const attemptsBelow = (records: readonly TimedRunRecord[], task: string): number =>
  new Set(
    records.flatMap((record) =>
      record.type === "delegated" && `${record.task}.`.startsWith(`${task}.`) ? [record.key] : [],
    ),
  ).size;

/** Questions that a person has answered. */
const answeredIn = (records: readonly TimedRunRecord[]): number =>
  records.filter((record) => record.type === "answered" && record.key.endsWith("/askPerson") && !asksPerson(record))
    .length;

/** The answer to the question that is up. @param before Questions that were answered before this start. */
function nextAnswer({ person = [] }: Story, given: number, before: number, asksAgain: boolean): PersonAnswer | null {
  const places = person.flatMap((answer, place) => (answer === null ? [] : [place]));
  const place = places[given];
  if (place === undefined) return null;
  // Nobody was there when it was asked first.
  const isAway = person[place - 1] === null && !(asksAgain && given === before);
  return isAway ? null : (person[place] ?? null);
}

const machine = createSpecMachine();

/** States in which an effect waits for its answer after some records. */
export function waitingIn(records: readonly TimedRunRecord[], policy: PolicyInput): string[] {
  const turn = currentTurn(records).filter((record) => !asksPerson(record));
  const state = replayTurn({ policy: Policy.parse(policy), turn: Math.max(1, turnOf(records)) }, turn);
  return Object.entries(state.nodes).flatMap(([path, { value, context, invoked }]) => {
    if (!Object.values(invoked).some(({ kind }) => kind === "effect")) return [];
    const name = `${path.startsWith("batch/") ? "member " : ""}${machineAt(machine, state, path).id}.${value}`;
    const level = (context as Partial<TaskContext>).escalation?.level ?? "normal";
    return ["pivot", "research"].includes(level) ? [name, `${name} at ${level}`] : [name];
  });
}

/** All states of the charts that wait for an effect, by the names that those have after records. */
export function allWaiting(): string[] {
  const waiting = (logic: AnyStateMachine): string[] =>
    Object.entries(logic.states)
      .filter(([, { invoke }]) => invoke.some(({ src }) => !isMachine(logic.implementations.actors[String(src)])))
      .map(([name]) => `${logic.id}.${name}`);
  const part = (logic: AnyStateMachine, name: string): AnyStateMachine =>
    logic.implementations.actors[name] as unknown as AnyStateMachine;
  const task = part(machine, "task");
  const inTask = [...waiting(task), ...waiting(part(task, "repair"))];
  const climbing = ["task.delegating", "task.verifying", "task.parsing"].flatMap((name) => [
    `${name} at pivot`,
    `${name} at research`,
  ]);
  return [
    ...waiting(machine),
    ...waiting(part(machine, "batch")),
    ...[...inTask, ...climbing].flatMap((name) => [name, `member ${name}`]),
  ];
}
