import { type Delegation, type Effect, type PolicyInput, type Reply, readPolicy } from "fixpoint";
import { createActs, createRunMemory, endRun, openSession } from "fixpoint/run";
import { type MemoryStore, memoryStore, stillClock } from "fixpoint/testing";

type Memory = ReturnType<typeof createRunMemory>;
type RunRecord = Parameters<Memory["apply"]>[0];
type Ports = Parameters<typeof createActs>[0];
type Person = NonNullable<Ports["person"]>;
type Facts = Exclude<Parameters<Memory["record"]>[1], undefined>["facts"];

export interface KilledPlan {
  readonly name: string;
  readonly plan: string;
  readonly policy: PolicyInput;
  readonly outcome: string;
  /** Replies by delegation key or by task. Default: a claim of completion. */
  readonly replies?: Readonly<Record<string, string | Reply>>;
  readonly fails?: Readonly<Record<string, (done: ReadonlySet<string>) => string>>;
  readonly person?: Awaited<ReturnType<Person>>;
}

export interface Lasting {
  readonly store: MemoryStore;
  readonly lines: string[];
  readonly done: Set<string>;
  readonly asked: string[];
}

export interface Kill {
  readonly line: number;
  readonly isTorn: boolean;
}

class Killed extends Error {}

export const begin = ({ plan }: KilledPlan): Lasting => ({
  store: memoryStore(plan),
  lines: [],
  done: new Set(),
  asked: [],
});

export async function goOn(plan: KilledPlan, lasting: Lasting, kill?: Kill): Promise<Ended | null> {
  const { store, lines } = lasting;
  const records = readLines(lines);
  const policy = readPolicy(plan.policy);
  let isDead = false;
  const memory = createRunMemory({
    store: {
      append: (made) => {
        if (isDead) throw new Killed();
        const line = `${JSON.stringify(made)}\n`;
        const isLast = kill?.line === lines.length + 1;
        lines.push(isLast && kill.isTorn ? line.slice(0, line.length / 2) : line);
        if (isLast) {
          isDead = true;
          throw new Killed();
        }
      },
      writeOutput: () => {},
      readOutput: async () => "",
    },
  });
  for (const record of records) memory.apply(record);
  const known = { text: store.tasks.text };
  const ports = { ...portsOf(plan, lasting, () => isDead), known, attempts: memory };
  const acts = createActs(ports) as unknown as Readonly<Record<string, Act>>;
  const underWay = new Map<string, UnderWay>();
  try {
    const session = openSession({ policy, state: memory.state, records, record: memory.record });
    for (;;) {
      for (const effect of session.performable()) {
        if (underWay.has(effect.key)) continue;
        const abort = new AbortController();
        const act = acts[effect.name];
        if (act === undefined) throw new Error(`Cannot perform ${effect.name}, expected an act`);
        const result = act(effect.input, abort.signal).then((made) => ({ effect, ...made }));
        underWay.set(effect.key, { abort, result });
      }
      if (underWay.size === 0) break;
      const { effect, answer, facts } = await Promise.race([...underWay.values()].map(({ result }) => result));
      underWay.delete(effect.key);
      session.take(effect, answer, { facts });
    }
    const outcome = session.outcome();
    if (outcome === null) throw new Error("Cannot end the run, expected an outcome");
    return (await endRun(ports, outcome, policy)).ended;
  } catch (error) {
    if (isDead) return null;
    throw error;
  }
}

type Ended = Awaited<ReturnType<typeof endRun>>["ended"];
type Act = (input: unknown, signal: AbortSignal) => Promise<{ answer: unknown; facts?: Facts }>;
interface UnderWay {
  readonly abort: AbortController;
  readonly result: Promise<{ effect: Effect; answer: unknown; facts?: Facts }>;
}

/** Removes an incomplete last line from `lines`, because such a line counts as never written. */
export function readLines(lines: string[]): readonly RunRecord[] {
  if (lines.at(-1)?.endsWith("\n") === false) lines.pop();
  return lines.flatMap((line) => JSON.parse(line) as readonly RunRecord[]);
}

export const answeredIn = (records: readonly RunRecord[]): ReadonlySet<string> =>
  new Set(records.flatMap((record) => (record.type === "answered" ? [record.key.replace(/\/delegate$/, "")] : [])));

/** After the death of the coordinator, calls have no effect and never resolve. */
function portsOf(plan: KilledPlan, { store, done, asked }: Lasting, isDead: () => boolean): Ports {
  const never = new Promise<never>(() => {});
  const documents = new Proxy(store, {
    get: (target, name: keyof MemoryStore) => {
      const method: unknown = target[name];
      if (typeof method !== "function") return method;
      return (...given: unknown[]): unknown => (isDead() ? never : method.apply(target, given));
    },
  });
  const execute = async ({ key, taskId, role }: Delegation): Promise<string | Reply> => {
    if (isDead()) return never;
    asked.push(key);
    // Lets the members of a batch end at different times.
    for (let left = Number(taskId.at(-1)) * 3 || 0; left > 0; left--) await Promise.resolve();
    if (isDead()) return never;
    done.add(key);
    return (
      plan.replies?.[key] ?? plan.replies?.[taskId] ?? (role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE")
    );
  };
  const { person = null } = plan;
  return {
    executors: { executor: execute, verifier: execute, operator: execute },
    documents,
    clock: stillClock(),
    workspace: "/work",
    spec: "/work/specs/sample",
    person: async (question) => {
      asked.push(`${question.current} asks`);
      return person;
    },
    shell: {
      run: async (command) => {
        const stdout = plan.fails?.[command]?.(done) ?? "";
        return { exitCode: stdout === "" ? 0 : 1, stdout, stderr: "", durationMs: 0, timedOut: false };
      },
      exists: async () => true,
    },
  };
}
