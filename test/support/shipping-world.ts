import { createEffects } from "../../src/effects/create-effects.ts";
import { createRunMemory } from "../../src/effects/run-memory.ts";
import { withMemory } from "../../src/effects/with-memory.ts";
import { type Book, noBook } from "../../src/model/pull-request-book.ts";
import { PullRequestPolicy, type PullRequestPolicyInput } from "../../src/model/pull-request-policy.ts";
import type { RunRecord } from "../../src/model/record.ts";
import type { Branch, LocalBranch } from "../../src/ports/branch.ts";
import type { Forge, Hindered, Refused } from "../../src/ports/forge.ts";
import type { Ports } from "../../src/ports/ports.ts";
import { fakeForge } from "../../src/testing/fake-forge.ts";
import type { ForgeScript } from "../../src/testing/forge-world.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedExecutor } from "../../src/testing/scripted-executor.ts";
import { stillClock } from "../../src/testing/still-clock.ts";
import { memoryPorts } from "./memory-run.ts";

/** A plan whose last phase is about its pull request. */
export const shippedPlan = `# Shop

## Phase 1: Work

- [x] 1.1 Build it
  - **Verify**: \`npm test\`

## Phase 5: PR Lifecycle

- [ ] 5.1 Create the PR
- [ ] 5.2 CI checks pass
- [ ] 5.3 Address review comments
- [ ] 5.4 Final validation
`;

/** An outside that cannot answer for now, and one that will not. */
export const hindered: Hindered = { kind: "hindered", reason: "offline", until: 99, detail: "no answer" };
export const refused: Refused = { kind: "refused", reason: "it may not", hint: "Let it" };
/** What a chart is told of the second. */
export const refusal = { kind: "gate", reason: "it may not", hint: "Let it" } as const;

interface ShippingOptions {
  readonly plan?: string;
  readonly local?: Partial<LocalBranch>;
  /** The branches of the remote, by name. */
  readonly heads?: Readonly<Record<string, string>>;
  readonly defaultBranch?: string | null;
  readonly script?: Omit<Partial<ForgeScript>, "headOf">;
  /** Answers in place of those of the forge and the branch in memory. */
  readonly forge?: Partial<Forge>;
  readonly branch?: Partial<Branch>;
  readonly ports?: Partial<Ports>;
  readonly now?: number;
}

/** Effects over a forge, a branch and a plan in memory: the branch `feature` at `c1`, one commit ahead of `main`. */
export function shippingWorld({
  plan = shippedPlan,
  local = {},
  heads: given = { main: "m1" },
  defaultBranch = "main",
  script = {},
  forge: otherForge = {},
  branch: otherBranch = {},
  ports: more = {},
  now = 0,
}: ShippingOptions = {}) {
  const heads = new Map(Object.entries(given));
  const here = { head: "c1", branch: "feature", dirty: [], ...local };
  const clock = stillClock(now);
  const store = memoryStore(plan);
  const calls: [name: string, at: number, ...given: unknown[]][] = [];
  const headOf = (name: string): string | null => heads.get(name) ?? null;
  const fake = fakeForge({ headOf, now: clock.now, ...script });
  const repository: Branch = {
    local: async () => here,
    remote: async ({ branch, base }) => ({
      ...{ kind: "remote", url: "https://forge.example/shop", defaultBranch },
      ...{ head: headOf(branch), baseHead: base === null ? null : headOf(base) },
    }),
    ahead: async () => ({
      ...{ kind: "ahead", commits: [{ hash: "c1", subject: "feat: build it" }], count: 1 },
      paths: ["src/a.ts", "src/b.ts"],
    }),
    push: async ({ branch, commit }) => {
      heads.set(branch, commit);
      return { kind: "pushed" };
    },
    adopt: async () => ({ kind: "adopted", authors: ["Ann"] }),
    begin: async () => ({ kind: "done" }),
  };
  const records: RunRecord[] = [];
  const noted = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name: string) => {
        const method = target[name as keyof Port];
        if (typeof method !== "function") return method;
        return (...given: unknown[]): unknown => {
          calls.push([name, clock.now(), ...given.filter((each) => !(each instanceof AbortSignal))]);
          return method.apply(target, given);
        };
      },
    });
  const memory = createRunMemory({
    open: 1,
    store: { append: (made) => void records.push(...made), writeOutput: () => {}, readOutput: async () => "" },
  });
  const ports: Ports = {
    ...memoryPorts(store, scriptedExecutor()),
    ...{ clock, forge: noted({ ...fake, ...otherForge }), branch: noted({ ...repository, ...otherBranch }) },
  };
  const effects = createEffects(withMemory({ ...ports, ...more, attempts: memory }));
  const called = (name: string): unknown[] => calls.filter(([each]) => each === name).map(([, , first]) => first);
  const timesOf = (name: string): number[] => calls.filter(([each]) => each === name).map(([, at]) => at);
  return { effects, memory, store, records, clock, heads, world: fake.world, forge: fake, called, timesOf };
}

export const shippingPolicy = (given: PullRequestPolicyInput = {}): PullRequestPolicy => PullRequestPolicy.parse(given);

/** What a run knows of pull request 1, which is open at `c1`. */
export const openBook = (more: Partial<Book> = {}): Book => ({
  ...noBook,
  ...{ number: 1, url: "https://forge.example/pull/1", head: "c1", pushedAt: 0, since: 0 },
  ...more,
});

/** The effects over a pull request that is open at `c1`. */
export function openedWorld(options: ShippingOptions = {}, { draft = false, base = "main" } = {}) {
  const made = shippingWorld({ heads: { main: "m1", feature: "c1" }, ...options });
  made.world.open({ branch: "feature", base, title: "Shop", body: "", draft });
  return made;
}
