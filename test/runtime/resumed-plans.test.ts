import { describe, expect, it } from "vitest";
import { addressOf } from "../../src/model/command-line.ts";
import type { FixpointError } from "../../src/model/errors.ts";
import { readPolicy } from "../../src/model/policy.ts";
import { hashText } from "../../src/model/text.ts";
import type { Executor } from "../../src/ports/executor.ts";
import { resolveStart } from "../../src/run/resolve-start.ts";
import { continueRun } from "../../src/runtime/continue-run.ts";
import type { OwnerQuestion } from "../../src/runtime/start.ts";
import type { MemoryStore } from "../../src/testing/memory-store.ts";
import { memoryStore } from "../../src/testing/memory-store.ts";
import { scriptedShell } from "../../src/testing/scripted-ports.ts";
import { type MemoryJournal, memoryJournal } from "../support/memory-journal.ts";
import { memoryPorts } from "../support/memory-run.ts";

const plan = `# Plan

- [x] 1.0 Zero
- [ ] 1.1 One
  - **Do**: Make one
- [ ] 1.2 Two
  - **Do**: Make two
`;
const edits = {
  "tick 1.1": ["[ ] 1.1", "[x] 1.1"],
  "tick 1.2": ["[ ] 1.2", "[x] 1.2"],
  "clear 1.0": ["[x] 1.0", "[ ] 1.0"],
  "clear and rewrite 1.0": ["[x] 1.0 Zero", "[ ] 1.0 Nothing"],
  "note below 1.1": ["Make one\n", "Make one\n  - Seen on Monday\n"],
  "rewrite 1.1": ["Make one", "Make nothing"],
  "rewrite 1.2": ["Make two", "Make nothing"],
  "add 1.3": ["Make two\n", "Make two\n- [ ] 1.3 Three\n"],
  "remove 1.2": ["- [ ] 1.2 Two\n  - **Do**: Make two\n", ""],
} as const;
type Edit = keyof typeof edits;
type Way = "killed, executor" | "killed, person" | "ended, executor" | "ended, person";

interface World {
  readonly store: MemoryStore;
  readonly journal: MemoryJournal;
}

/** @param accepts Answer of the owner; null if the owner is absent. */
async function start({ store, journal }: World, execute: Executor, accepts: boolean | null, signal: AbortSignal) {
  const asked: OwnerQuestion[] = [];
  const reading = journal.read();
  const opened = await store.read();
  const policy = readPolicy({ trustExecutor: true });
  const origin = resolveStart(reading, { policy }, opened.plan);
  const held = journal.begin({ policy: origin.policy, open: origin.open });
  const ports = memoryPorts(store, execute);
  const ended = continueRun(
    {
      ...{ options: {}, address: addressOf("sample"), documents: store, reading, origin, limited: false },
      ...{ emit: () => {}, announce: () => {} },
    },
    {
      ...{ journal: () => held, hashOf: hashText, workspace: "/work", signal, elapsedMs: () => 0 },
      check: async () => {},
      shell: () => scriptedShell(),
      endLeftovers: async () => {},
      announceDelegation: async () => {},
      askOwner: async (question) => {
        asked.push(question);
        return accepts === true ? { accepted: true } : { accepted: false, hash: "abc", isAsked: accepts === false };
      },
      begin: async () => ({
        ...{
          ports,
          ask: {},
          onEvent: () => {},
          show: () => {},
          listen: () => () => {},
          signal,
          abandon: async () => {},
        },
        leave: async (reached) => ({ ...reached, facts: {} }),
      }),
    },
  );
  const outcome = await ended.then(
    ({ outcome }) => outcome as string,
    (error: FixpointError) => error.code,
  );
  held.close();
  return { outcome, asked };
}

async function resumed(edit: Edit, way: Way, accepts: boolean | null) {
  const world: World = { store: memoryStore(plan, "# Progress\n"), journal: memoryJournal(() => 0) };
  const [from, to] = edits[edit];
  const make = (): void => {
    world.store.tasks.text = world.store.tasks.text.replace(from, to);
  };
  const stop = new AbortController();
  await new Promise<unknown>((resolve) => {
    const working: Executor = async () => {
      if (way.endsWith("executor")) make();
      if (way.startsWith("killed")) {
        resolve(null);
        // Never resolves, like a killed start.
        return new Promise(() => {});
      }
      stop.abort(new Error("interrupted"));
      throw stop.signal.reason;
    };
    void start(world, working, true, stop.signal).then(resolve);
  });
  if (way.endsWith("person")) make();
  const delegated: string[] = [];
  const works: Executor = async ({ taskId }) => {
    delegated.push(taskId);
    return "TASK_COMPLETE";
  };
  const { outcome, asked } = await start(world, works, accepts, new AbortController().signal);
  const boxes = world.store.standing().plan.tasks.map(({ id, done }) => (done ? id : `(${id})`));
  return {
    asks: asked.flatMap(({ items }) => items).join("; "),
    outcome,
    did: delegated.join(" "),
    boxes: boxes.join(" "),
  };
}

type Resumed = Awaited<ReturnType<typeof resumed>>;

const goesOn = (did: string, boxes = "1.0 1.1 1.2"): Resumed => ({ asks: "", outcome: "complete", did, boxes });
const always = (did: string) => ({ killed: goesOn(did), "ended, executor": goesOn(did), "ended, person": goesOn(did) });
const foreign = (asks: string, open: string, did: string, boxes: string) => {
  const asked = { asks, yes: { did, boxes }, refused: { outcome: "plan-changed", boxes: open } };
  return { killed: asked, "ended, executor": asked, "ended, person": goesOn(did, boxes) };
};

/** After a kill, the author of an edit is unknown. */
const outcomes: Readonly<Record<Edit, Readonly<Record<"killed" | "ended, executor" | "ended, person", Outcome>>>> = {
  // A tick of the resumed attempt raises no question.
  "tick 1.1": { ...always("1.1 1.2"), "ended, person": goesOn("1.2") },
  "tick 1.2": {
    killed: {
      asks: "task 1.2",
      yes: { did: "1.1", boxes: "1.0 1.1 1.2" },
      no: { did: "1.1 1.2", boxes: "1.0 1.1 1.2" },
      refused: { outcome: "ticks-unexplained", boxes: "1.0 (1.1) 1.2" },
    },
    // The start reverts a tick without acceptance before its end.
    "ended, executor": goesOn("1.1 1.2"),
    "ended, person": goesOn("1.1"),
  },
  "clear 1.0": {
    killed: goesOn("1.1 1.0 1.2"),
    "ended, executor": goesOn("1.1 1.2"),
    "ended, person": goesOn("1.0 1.1 1.2"),
  },
  // A reopened task is open, so its changed text raises a question.
  "clear and rewrite 1.0": {
    ...foreign('title of task 1.0 changed from "Zero" to "Nothing"', "(1.0) (1.1) (1.2)", "1.0 1.1 1.2", "1.0 1.1 1.2"),
    "ended, executor": goesOn("1.1 1.2"),
  },
  "note below 1.1": always("1.1 1.2"),
  "rewrite 1.1": foreign(
    'Do of task 1.1 changed from "Make one" to "Make nothing"',
    "1.0 (1.1) (1.2)",
    "1.1 1.2",
    "1.0 1.1 1.2",
  ),
  "rewrite 1.2": foreign(
    'Do of task 1.2 changed from "Make two" to "Make nothing"',
    "1.0 (1.1) (1.2)",
    "1.1 1.2",
    "1.0 1.1 1.2",
  ),
  "add 1.3": foreign("task 1.3 was added to the plan", "1.0 (1.1) (1.2) (1.3)", "1.1 1.2 1.3", "1.0 1.1 1.2 1.3"),
  "remove 1.2": foreign("task 1.2 vanished from the plan", "1.0 (1.1)", "1.1", "1.0 1.1"),
};

interface Asked {
  readonly asks: string;
  readonly yes: Pick<Resumed, "did" | "boxes">;
  readonly no?: Pick<Resumed, "did" | "boxes">;
  readonly refused: Pick<Resumed, "outcome" | "boxes">;
}
type Outcome = Resumed | Asked;

describe.each(Object.keys(edits) as Edit[])("a run whose plan is edited between two starts: %s", (edit) => {
  it.each(["killed, executor", "killed, person", "ended, executor", "ended, person"] as const)("%s", async (way) => {
    const outcome = outcomes[edit][way.startsWith("killed") ? "killed" : (way as "ended, person")];
    const answered = (accepts: boolean | null) => resumed(edit, way, accepts);
    if (!("refused" in outcome)) {
      expect(await answered(null)).toEqual(outcome);
      return;
    }
    const { asks, yes, no, refused } = outcome;
    expect(await answered(null)).toEqual({ asks, did: "", ...refused });
    expect(await answered(true)).toEqual({ asks, outcome: "complete", ...yes });
    const denied = no === undefined ? { did: "", ...refused } : { outcome: "complete", ...no };
    expect(await answered(false)).toEqual({ asks, ...denied });
  });
});
