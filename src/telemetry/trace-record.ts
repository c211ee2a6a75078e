import type { RunEnding } from "../model/event.ts";
import { type ReplyRecord, type TimedRunRecord, usedFor } from "../model/record.ts";
import { attemptOf, taskOf, type Usage } from "../model/reply.ts";
import { roles } from "../model/role.ts";
import { contentNames, names, operations, workflow } from "./names.ts";
import type { TelemetryAttributes } from "./telemetry-like.ts";
import {
  broken,
  close,
  closeFrom,
  measure,
  open,
  spans,
  type Trace,
  type TraceAct,
  type Traced,
  withError,
} from "./trace-spans.ts";

/**
 * Trace the beginning of a start.
 *
 * @param turns Number of turns begun before this start.
 * @param judged As in `Trace`.
 */
export function traceStart({
  at,
  turns,
  judged,
  conversation,
  content,
  attributes,
}: {
  readonly at: number;
  readonly turns: number;
  readonly judged: readonly string[];
  /** Id that groups the starts of one run. */
  readonly conversation: string;
  readonly content: boolean;
  readonly attributes: TelemetryAttributes;
}): Traced {
  const measured = { [names.operation]: operations.run, [names.agent]: workflow };
  return open(
    { trace: { open: [], turns, judged, conversation, content }, acts: [] },
    { span: spans.run, at, metric: "gen_ai.invoke_agent.duration", measured },
    { name: `${operations.run} ${workflow}`, attributes: { ...measured, ...attributes } },
  );
}

/** Trace a record; records must come in order. */
export function traceRecord(trace: Trace, record: TimedRunRecord): Traced {
  const none: Traced = { trace, acts: [] };
  const { at } = record;
  switch (record.type) {
    case "delegated":
      return traceDelegation(inTurn(none, at), record);
    case "judged":
      return { ...traceChecks(none, record), trace: { ...trace, judged: [...trace.judged, record.key] } };
    case "mended":
      return { trace, acts: record.passes.flatMap(({ key, verify }) => check(trace, { key, at, run: verify })) };
    case "merged":
      return { trace, acts: record.runs.flatMap((run) => check(trace, { key: "run/mergeProgress", at, run })) };
    case "answered":
      return traceAnswer(none, record);
    case "ended":
      return traceEnd(trace, at, record.ending.outcome);
    // The remaining records are covered by other records or by events.
    default:
      return none;
  }
}

/**
 * Trace the end of a start, and close open spans; no effect if called again.
 *
 * @param outcome Null if an error ended the start.
 */
export function traceEnd(trace: Trace, at: number, outcome: RunEnding | null): Traced {
  if (trace.open.length === 0) return { trace, acts: [] };
  const isFailed = outcome === null || outcome === "limit" || outcome === "environment";
  return close(closeFrom({ trace, acts: [] }, at, 1), spans.run, {
    at,
    attributes: outcome === null ? {} : { [names.outcome]: outcome },
    error: isFailed ? (outcome ?? "_OTHER") : null,
  });
}

type Delegated = Extract<TimedRunRecord, { type: "delegated" }>;
type Answered = Extract<TimedRunRecord, { type: "answered" }>;

function traceDelegation(before: Traced, { key, task, role, attempt, executor, rung, level, at }: Delegated): Traced {
  const measured = { [names.operation]: operations.attempt, [names.agent]: role };
  const attributes = {
    ...measured,
    [names.conversation]: before.trace.conversation,
    [names.task]: task,
    [names.attempt]: attempt,
    ...(executor !== undefined && { [names.executor]: executor }),
    ...(rung !== undefined && { [names.rung]: rung }),
    ...(level !== undefined && { [names.level]: level }),
  };
  // If the attempt is repeated, its first span was interrupted.
  const again = close(before, key, { at, attributes: {}, error: broken });
  return open(
    again,
    { span: key, at, metric: "gen_ai.invoke_agent.duration", measured },
    { name: `${operations.attempt} ${role}`, attributes },
  );
}

function traceAnswer(before: Traced, record: Answered): Traced {
  const { effect, key, answer, at, reply, review, usage } = record;
  if (effect === "chooseTask") {
    const ended = closeFrom(before, at, 1);
    if (answer.kind !== "task" && answer.kind !== "batch") return ended;
    const chosen = answer.kind === "task" ? [answer] : answer.members;
    const tasks = chosen.map(({ current }) => current);
    return openTurn(ended, at, tasks);
  }
  if (effect === "delegate") return closeAttempt(before, attemptOf(key), { at, reply, usage: usedFor(record) });
  if (effect === roles.reviewer.askedBy || effect === roles.operator.askedBy) {
    return closeAttempt(before, key, { at, usage: review?.usage ?? usage });
  }
  // The verdict of this answer was traced when the verdict was recorded.
  const { judged } = before.trace;
  if (judged.includes(key)) {
    return { ...before, trace: { ...before.trace, judged: judged.filter((other) => other !== key) } };
  }
  return traceChecks(before, record);
}

/**
 * Open a span for the turn if none is open, since a start that resumes a turn does not record the choice of its tasks.
 */
function inTurn(before: Traced, at: number): Traced {
  if (before.trace.open.some(({ span }) => span === spans.turn)) return before;
  const { turns } = before.trace;
  return openTurn({ ...before, trace: { ...before.trace, turns: Math.max(turns - 1, 0) } }, at, null);
}

/** @param tasks Null if an earlier start chose them. */
function openTurn({ trace, acts }: Traced, at: number, tasks: readonly string[] | null): Traced {
  const turns = trace.turns + 1;
  const attributes = {
    [names.conversation]: trace.conversation,
    [names.turn]: turns,
    ...(tasks !== null && { [names.tasks]: [...tasks] }),
  };
  const turn = { span: spans.turn, at, metric: "fixpoint.turn.duration", measured: {} } as const;
  return open({ trace: { ...trace, turns }, acts }, turn, { name: "turn", attributes });
}

interface CallEnd {
  readonly at: number;
  readonly reply?: Pick<ReplyRecord, "exitCode" | "ended" | "problem"> | undefined;
  readonly usage?: Usage | undefined;
}

function closeAttempt(before: Traced, key: string, { at, reply = {}, usage = {} }: CallEnd): Traced {
  const opened = before.trace.open.find(({ span }) => span === key);
  if (opened === undefined) return before;
  const { inputTokens, outputTokens, costUsd } = usage;
  const { exitCode, ended = "exit", problem } = reply;
  const attributes = {
    ...(exitCode !== undefined && { [names.exitCode]: exitCode }),
    ...(inputTokens !== undefined && { [names.inputTokens]: inputTokens }),
    ...(outputTokens !== undefined && { [names.outputTokens]: outputTokens }),
    ...(costUsd !== undefined && { [names.costUsd]: costUsd }),
  };
  const measures = [
    ...measureTokens("input", inputTokens, opened.measured),
    ...measureTokens("output", outputTokens, opened.measured),
    ...(costUsd === undefined ? [] : [measure("fixpoint.usage.cost", costUsd, opened.measured)]),
  ];
  const closed = close(before, key, { at, attributes, error: problem?.kind ?? (ended === "exit" ? null : ended) });
  return { ...closed, acts: [...closed.acts, ...measures] };
}

const measureTokens = (type: string, count: number | undefined, attributes: TelemetryAttributes): TraceAct[] =>
  count === undefined ? [] : [measure("gen_ai.client.token.usage", count, { ...attributes, [names.tokenType]: type })];

type Checked = Pick<Answered, "key" | "at" | "verify" | "reality">;
type CheckRun = NonNullable<Answered["verify"]>;

/** Trace the commands on which a verdict is based. The last command ended when the verdict was recorded. */
function traceChecks({ trace, acts }: Traced, { key, at, verify, reality }: Checked): Traced {
  const between = at - (reality?.result.durationMs ?? 0);
  return {
    trace,
    acts: [
      ...acts,
      ...(verify === undefined ? [] : check(trace, { key, at: between, run: verify })),
      ...(reality === undefined ? [] : check(trace, { key, at, run: reality })),
    ],
  };
}

function checkError({ exitCode, timedOut, limitBytes }: CheckRun["result"]): string | null {
  if (timedOut) return "timeout";
  if (limitBytes !== undefined) return "flood";
  return exitCode === 0 ? null : exitCode === null ? "signal" : "exit";
}

/** Keys of effects that check several tasks. */
const ofRun = /\/(?:checkWork|confirmCompletion|mergeProgress)$/;

function check(
  { open: opened, conversation, content }: Trace,
  { key, at, run }: { readonly key: string; readonly at: number; readonly run: CheckRun },
): TraceAct[] {
  const { exitCode, durationMs, stdout, stderr } = run.result;
  const error = checkError(run.result);
  const span = `${key}/${run.name}`;
  const measured = { [names.operation]: operations.verify, [names.tool]: "verify", [names.toolType]: "extension" };
  const attributes = {
    ...measured,
    [names.conversation]: conversation,
    ...(!ofRun.test(key) && { [names.task]: taskOf(key) }),
    ...(exitCode !== null && { [names.exitCode]: exitCode }),
    ...(content && { [contentNames.command]: run.command, [contentNames.result]: endOf(`${stdout}${stderr}`) }),
  };
  const parent = opened.some((other) => other.span === spans.turn) ? spans.turn : spans.run;
  return [
    { kind: "begin", span, parent, name: `${operations.verify} verify`, at: at - durationMs, attributes },
    { kind: "end", span, at, attributes: {}, error },
    measure("gen_ai.execute_tool.duration", durationMs / 1000, withError(measured, error)),
  ];
}

const longestText = 16_384;

/** Keep the end of a text, since results come last. */
export const endOf = (text: string): string => text.slice(-longestText);
