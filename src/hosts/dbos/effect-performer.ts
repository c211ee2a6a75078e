import { type Acts, createActs, performAct } from "../../effects/create-effects.ts";
import { createRunMemory, type RunMemory } from "../../effects/run-memory.ts";
import type { Effect } from "../../model/effect.ts";
import type { RunRecord } from "../../model/record.ts";
import { attemptOf } from "../../model/reply.ts";
import { NotReported } from "../../ports/executor.ts";
import type { Ports } from "../../ports/ports.ts";
import type { DurableAnswer } from "../../runtime/durable-by.ts";
import type { PendingWork } from "./pending-work.ts";
import { type Outside, type Pushed, readSaid, remotePorts } from "./remote-ports.ts";
import type { RunWorkspace, StepChanges } from "./run-workspace.ts";

export interface StepResult extends StepChanges {
  readonly records?: readonly RunRecord[];
  /** Commits with replies that are too long for their records, by the keys of their attempts. */
  readonly long?: Readonly<Record<string, Pushed>>;
}

/** Performs the effects of a run. Everything but the stored results of steps is lost with the process. */
export interface EffectPerformer {
  readonly memory: RunMemory;
  open(): Promise<Ports & { readonly attempts: RunMemory }>;
  perform(effect: Effect, signal: AbortSignal): Promise<DurableAnswer>;
  /** Called with the records that effects make before they end. */
  note: (records: readonly RunRecord[]) => void;
  recall(made: StepResult): void;
  /** Apply new records, and return the form in which to store them. */
  keep(records: readonly RunRecord[]): Pick<StepResult, "records" | "long">;
}

/** Maximum characters of a reply in its record. */
const inlineReply = 4096;

export function createEffectPerformer({
  standing,
  pending,
  outside,
}: {
  readonly standing: RunWorkspace;
  readonly pending: PendingWork;
  readonly outside: Omit<Outside, "checkout" | "said">;
}): EffectPerformer {
  /** Records made by effects themselves: the memory has applied them already. */
  const own = new WeakSet<RunRecord>();
  const said = new Map<string, Pushed>();
  let opened: (Ports & { readonly attempts: RunMemory }) | null = null;
  let acts: Acts | null = null;
  const readOutput = async (key: string): Promise<string> => {
    const found = said.get(key);
    const { checkout } = await standing.open();
    const read = found === undefined ? null : await readSaid(checkout, found);
    return read?.kind === "execute" ? read.reply.text : "";
  };
  const memory = createRunMemory({
    store: {
      append: (records) => {
        for (const record of records) own.add(record);
        workshop.note(records);
      },
      writeOutput: () => {},
      readOutput: (key) => pending.at(readOutput(key)),
    },
  });
  const workshop: EffectPerformer = {
    memory,
    note: () => {},
    open: async () => {
      const { checkout, ports } = await pending.at(standing.open());
      opened ??= {
        ...ports,
        ...remotePorts({ ...outside, checkout, said }, ports.shell),
        ...{ clock: pending.clock, attempts: memory },
      };
      return opened;
    },
    perform: async (effect, signal) => {
      for (;;) {
        try {
          acts ??= createActs(await workshop.open());
          return { ...(await performAct(acts, effect, signal)), records: [] };
        } catch (error) {
          if (!(error instanceof NotReported)) throw error;
          await pending.park(signal);
        }
      }
    },
    recall: (made) => {
      standing.recall(made);
      for (const record of made.records ?? []) memory.apply(record);
      for (const [key, pushed] of Object.entries(made.long ?? {})) said.set(key, pushed);
    },
    keep: (given) => {
      const records = given.map(shortened);
      const long: Record<string, Pushed> = {};
      records.forEach((record, at) => {
        if (!own.has(given[at] ?? record)) memory.apply(record);
        const key = record.type === "answered" && record.reply?.text === null ? attemptOf(record.key) : "";
        const pushed = said.get(key);
        if (pushed !== undefined) long[key] = pushed;
      });
      return { records, ...(Object.keys(long).length > 0 && { long }) };
    },
  };
  return workshop;
}

const shortened = (record: RunRecord): RunRecord =>
  record.type === "answered" && (record.reply?.text?.length ?? 0) > inlineReply
    ? ({ ...record, reply: { ...record.reply, text: null } } as RunRecord)
    : record;
