import { createActs } from "../../../src/effects/create-effects.ts";
import { createRunMemory } from "../../../src/effects/run-memory.ts";
import { addressOf } from "../../../src/model/command-line.ts";
import type { Effect, EffectName } from "../../../src/model/effect.ts";
import { type PolicyInput, readPolicy } from "../../../src/model/policy.ts";
import type { TimedRunRecord } from "../../../src/model/record.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import { replayRun } from "../../../src/runtime/replay-run.ts";
import { openSession } from "../../../src/runtime/session.ts";
import { type Stop, stopOf } from "../../../src/runtime/stop.ts";
import { memoryStore } from "../../../src/testing/memory-store.ts";
import { Killed, type PullRequestWorld } from "./world.ts";

const plan = `# Tasks

## Phase 1: Work

- [ ] 1.1 Build it
  - **Do**: build

## Phase 5: PR Lifecycle

- [ ] 5.1 Create the pull request
- [ ] 5.2 CI checks pass
- [ ] 5.3 Address review comments
- [ ] 5.4 Final validation
`;

export interface ExecutorKind {
  readonly mends: number;
  readonly idles: number;
  readonly says?: string;
}

export interface Mutant {
  readonly policy?: (policy: PolicyInput) => PolicyInput;
  readonly input?: (name: EffectName, input: never) => object;
  readonly answer?: (name: EffectName, answer: { readonly kind: string }, now: number) => object;
  readonly forces?: boolean;
}

export interface Played {
  readonly outcome: Told | null;
  readonly records: readonly TimedRunRecord[];
  readonly delegations: Map<string, number>;
  readonly plan: string;
  readonly steps: number;
  readonly starts: number;
  readonly greenAtEnd: boolean;
  readonly startedAt: number;
}

interface Told {
  readonly kind: string;
  readonly reason: string | undefined;
  readonly denial: Stop["denial"];
}

const mostSteps = 5000;

export async function playWorld(
  world: PullRequestWorld,
  executor: ExecutorKind,
  given: PolicyInput,
  random: () => number,
  mutant: Mutant = {},
): Promise<Played> {
  const policy = readPolicy(mutant.policy?.(given) ?? given);
  const store = memoryStore(plan);
  const records: TimedRunRecord[] = [];
  const delegations = new Map<string, number>();
  const startedAt = world.now;
  let steps = 0;
  let starts = 0;
  let greenAtEnd = true;
  for (;;) {
    starts += 1;
    const memory = createRunMemory({
      open: 1,
      elapsedMs: () => 0,
      store: {
        append: (more, { at = world.now }) =>
          void records.push(...more.map((each) => ({ ...structuredClone(each), at }))),
        writeOutput: () => {},
        readOutput: async () => "",
      },
    });
    for (const record of records) memory.apply(structuredClone(record));
    const ports: Ports = {
      ...{ documents: store, attempts: memory, forge: world.forge, branch: world.branch },
      executors: { executor: async ({ taskId }) => ({ text: work(taskId) }) },
      shell: { run: () => Promise.reject(new Error("no shell")), exists: async () => false },
      git: {
        head: async () => world.local.slice(0, 8),
        mark: async () => ({ head: world.local, at: world.now, files: {} }),
        since: async () => null,
        commit: async () => null,
      },
      clock: {
        now: () => world.now,
        sleepUntil: async (time) => world.sleepUntil(time),
      },
    };
    const acts = createActs(ports);
    const record: typeof memory.record = (made, more) => memory.record(made, { ...more, at: world.now });
    try {
      const session = openSession({ policy, state: memory.state, records: [...records], record });
      for (;;) {
        const [effect] = session.performable();
        if (effect === undefined || steps++ > mostSteps) break;
        const act = acts[effect.name as keyof typeof acts] as unknown as Act;
        const { answer, facts } = await perform(mutant, effect, act, world.now);
        if (effect.name === "confirmPullRequest" && (answer as { kind: string }).kind === "confirmed") {
          greenAtEnd = world.isGreen();
        }
        session.take(effect, answer, { facts: facts as never });
      }
      const reached = session.outcome();
      const address = addressOf("");
      const told = (stop: Stop): Told => ({ kind: stop.outcome, reason: stop.error, denial: stop.denial });
      const outcome =
        reached === null
          ? null
          : told(stopOf(reached, { memory, policy, address, rerunsFirst: () => false, hasLearnings: false }));
      return { outcome, records, delegations, plan: store.tasks.text, steps, starts, greenAtEnd, startedAt };
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }

  function work(task: string): string {
    delegations.set(task, (delegations.get(task) ?? 0) + 1);
    const title = store.standing().plan.tasks.find(({ id }) => id === task)?.title ?? "";
    const check = /^Fix CI failure: (\S+)/.exec(title)?.[1];
    world.sleepUntil(world.now + 60_000);
    const idles = task !== "1.1" && random() < executor.idles;
    if (!idles) world.work(check !== undefined && random() < executor.mends ? [check] : []);
    return `${executor.says ?? ""}\nTASK_COMPLETE`.trim();
  }
}

type Act = (input: unknown, signal: AbortSignal) => Promise<{ answer: never; facts?: never }>;

async function perform({ input, answer }: Mutant, effect: Effect, act: Act, now: number) {
  const { signal } = new AbortController();
  const asked = input?.(effect.name, effect.input as never) ?? effect.input;
  const outcome = await act(asked, signal);
  return answer === undefined ? outcome : { ...outcome, answer: answer(effect.name, outcome.answer, now) as never };
}

export const replays = (played: Played, policy: PolicyInput) =>
  replayRun({ starts: [{ start: 1, policy: readPolicy(policy), records: played.records }] as never, open: 1 })
    .differences;
