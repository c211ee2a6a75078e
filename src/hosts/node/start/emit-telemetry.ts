import { isHandOut } from "../../../effects/executor-chain.ts";
import type { RunEnding, RunEvent } from "../../../model/event.ts";
import type { RunRecord } from "../../../model/record.ts";
import type { Executor, ExecutorChain, Executors } from "../../../ports/executor.ts";
import type { Journal } from "../../../ports/journal.ts";
import { emitTrace } from "../../../telemetry/emit-trace.ts";
import { contentNames, names } from "../../../telemetry/names.ts";
import type { TelemetryOptions } from "../../../telemetry/telemetry-like.ts";
import { traceEvent } from "../../../telemetry/trace-event.ts";
import { endOf, traceEnd, traceRecord, traceStart } from "../../../telemetry/trace-record.ts";
import { spans, type TraceAct } from "../../../telemetry/trace-spans.ts";
import { hashOf } from "../consent/verify-commands.ts";
import type { Start } from "./start.ts";

export interface Telemetry {
  readonly watch: (journal: Journal) => Journal;
  readonly see: (event: RunEvent) => void;
  /** Wrap executors so that prompts and replies are reported, if content is enabled. */
  readonly listen: (executors: Executors) => Executors;
  /** Report the end of the start; null if an error ended it. Later calls have no effect. */
  readonly end: (outcome: RunEnding | null) => void;
}

const silent: Telemetry = {
  watch: (journal) => journal,
  see: () => {},
  listen: (executors) => executors,
  end: () => {},
};

type Told = Pick<Start, "options" | "spec" | "origin" | "emit">;

/**
 * Report the records of a start to a tracer and a meter. After the tracer or the meter throws, nothing more is
 * reported.
 */
export function emitTelemetry(start: Told): Telemetry {
  const { telemetry } = start.options;
  return telemetry === undefined ? silent : emitBy(telemetry, start);
}

function emitBy(options: TelemetryOptions, { spec, origin, emit }: Told): Telemetry {
  const teller = emitTrace(options);
  const content = options.traceContent === true;
  // Hash the folder, so that its path is not exported.
  const conversation = hashOf(`${spec.folder}\n${origin.run}`).slice(0, 32);
  const now = Date.now();
  const first = traceStart({
    ...{ at: now, turns: origin.state?.turns ?? 0, judged: judgedBefore(origin), conversation, content },
    attributes: {
      [names.conversation]: conversation,
      [names.run]: origin.run,
      [names.resumed]: !origin.fresh,
      ...(content && { [contentNames.spec]: spec.name }),
    },
  });
  let { trace } = first;
  let last = now;
  let isBroken = false;
  const safely = (tell: () => void): void => {
    if (isBroken) return;
    try {
      tell();
    } catch (error) {
      isBroken = true;
      emit({
        type: "notice",
        message: `Telemetry is no longer sent: the tracer or the meter has thrown ${String(error)}`,
      });
    }
  };
  const follow = ({
    trace: next,
    acts,
  }: {
    readonly trace: typeof trace;
    readonly acts: readonly TraceAct[];
  }): void => {
    trace = next;
    safely(() => teller.tell(acts));
  };
  follow(first);
  const message = (role: string, text: string): string =>
    JSON.stringify([{ role, parts: [{ type: "text", content: endOf(text) }] }]);
  return {
    watch: (journal) => ({
      ...journal,
      append: (records: readonly RunRecord[], { durable, at = Date.now() }) => {
        journal.append(records, { durable, at });
        last = at;
        for (const record of records) follow(traceRecord(trace, { ...record, at }));
      },
    }),
    see: (event) => {
      const attributes = traceEvent(event);
      if (attributes !== null) safely(() => teller.addEvent(spans.turn, event.type, last, attributes));
      if (event.type !== "task.delegated" || !content) return;
      safely(() => teller.add(event.key, { [contentNames.title]: event.title }));
    },
    listen: (executors) =>
      !content
        ? executors
        : mapExecutors(executors, (execute) => async (delegation, signal, progress) => {
            const { key, prompt } = delegation;
            safely(() => teller.add(key, { [contentNames.input]: message("user", prompt) }));
            const reply = await execute(delegation, signal, progress);
            const text = typeof reply === "string" ? reply : reply.text;
            safely(() => teller.add(key, { [contentNames.output]: message("assistant", text) }));
            return reply;
          }),
    end: (outcome) => follow(traceEnd(trace, Date.now(), outcome)),
  };
}

/** Keys of verdicts that a previous start recorded before it was killed. */
const judgedBefore = ({ state }: Start["origin"]): string[] =>
  Object.entries(state?.turn.attempts ?? {}).flatMap(([attempt, { concluded }]) =>
    concluded === null ? [] : [`${attempt}/verify`],
  );

function mapExecutors({ rungs, ...roles }: Executors, change: (execute: Executor) => Executor): Executors {
  // Handed-out work is reported by its worker.
  const one = (each: Executor): Executor =>
    isHandOut(each) ? each : Object.assign(change(each), { instructions: each.instructions });
  const chain = (choice: ExecutorChain): ExecutorChain =>
    typeof choice === "function" ? one(choice) : (choice.map(one) as [Executor, ...Executor[]]);
  const each = (chains: Readonly<Record<string, ExecutorChain>>) =>
    Object.fromEntries(Object.entries(chains).map(([name, choice]) => [name, chain(choice)]));
  return { ...each(roles), ...(rungs !== undefined && { rungs: each(rungs) }) } as unknown as Executors;
}
