import type { PersonEvent } from "../../../src/model/person-event.ts";
import { readPolicy } from "../../../src/model/policy.ts";
import type { RunRecord } from "../../../src/model/record.ts";
import type { RunState } from "../../../src/model/run-state.ts";
import { type DurableAnswer, type DurableRun, durableBy } from "../../../src/runtime/durable-by.ts";
import { answerTo, drawn, type World } from "./world.ts";

export interface Fault {
  readonly what: "kill" | "full" | "throw";
  readonly after: number;
  readonly kept: "none" | "half" | "all";
}

export interface WordAt {
  readonly at: number;
  readonly event: PersonEvent;
}

export interface Played {
  readonly happenings: readonly (readonly RunRecord[])[];
  readonly state: RunState;
  readonly output: unknown;
  readonly starts: number;
  readonly begun: readonly { readonly key: string; readonly at: number }[];
  readonly isHeldBack: boolean;
}

const rest = () => new Promise((resolve) => setImmediate(resolve));
const delegates = /\/(delegate|review|askOperator|askAgain)$/;

/** Draws each event only from the seed and the journal, so faults do not change the records of a run. */
export async function play(
  world: World,
  words: readonly WordAt[],
  faults: readonly Fault[],
  before: readonly (readonly RunRecord[])[] = [],
): Promise<Played> {
  const { seed } = world;
  const policy = readPolicy(world.policy);
  let paper = before.map((records) => `${JSON.stringify(records)}\n`).join("");
  const begun: { key: string; at: number }[] = [];
  const lines = (): string[] =>
    paper
      .slice(0, paper.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(0, -1);
  let isHeldBack = false;
  for (let pid = 0; pid < 200; pid++) {
    paper = paper.slice(0, paper.lastIndexOf("\n") + 1);
    const known = lines().map((line) => JSON.parse(line) as RunRecord[]);
    const fault = faults[pid];
    let written = 0;
    let isDead = false;
    let thrown: string | null = null;
    const open = new Map<string, { settle: (given: DurableAnswer) => void; fail: (error: Error) => void }>();
    const append = (line: string): void => {
      written += 1;
      const isDue = fault !== undefined && fault.what !== "throw" && written > fault.after;
      if (!isDue) {
        paper += line;
        return;
      }
      const half = line.slice(0, 1 + (drawn(seed, pid) % (line.length - 1)));
      const all = fault.what === "full" ? half : line;
      paper += { none: "", half: half.replace(/\n$/, ""), all: fault.what === "full" ? all.replace(/\n$/, "") : all }[
        fault.kept
      ];
      if (fault.what === "full") throw Object.assign(new Error("no space left"), { code: "ENOSPC" });
      isDead = true;
    };
    const dead = new Promise<never>(() => {});
    const run: DurableRun = durableBy({
      policy: world.policy,
      once: async (at, happening) => {
        const kept = known[at];
        if (kept !== undefined) return kept;
        let made = await happening();
        // Imitates a workflow engine that failed to store the result of a step and therefore repeats the step.
        if (drawn(seed, at, pid) % 5 === 0) made = await happening();
        if (isDead) return dead;
        append(`${JSON.stringify(made)}\n`);
        return isDead ? dead : (JSON.parse(JSON.stringify(made)) as RunRecord[]);
      },
      perform: (effect) => {
        if (effect.name === "askPerson") return null;
        begun.push({ key: effect.key, at: lines().length });
        return new Promise((resolve, reject) => {
          open.set(effect.key, {
            settle: () => resolve({ answer: answerTo(world, policy, run.state, effect) }),
            fail: reject,
          });
        });
      },
    });
    const ended: { output?: unknown; error?: unknown } = {};
    let isEnded = false;
    run.done.then(
      (output) => {
        isEnded = true;
        ended.output = output;
      },
      (error: unknown) => {
        isEnded = true;
        ended.error = error;
      },
    );
    const say = (event: PersonEvent, word: string): void =>
      void run.say(event, { kind: "terminal", terminal: null, process: null, pid: null, word });
    const said = new Set<number>();
    for (let steps = 0; ; steps++) {
      await rest();
      if (isDead || isEnded) break;
      if (steps > 20_000) throw new Error("a start does not end");
      const count = lines().length;
      const due = words.flatMap(({ at }, index) => (at <= count && !said.has(index) ? [index] : []));
      if (due.length > 0) {
        for (const index of due) {
          said.add(index);
          say((words[index] as WordAt).event, `w${index}`);
        }
        continue;
      }
      const keys = [...open.keys()].sort();
      const key = keys[drawn(seed, count) % Math.max(1, keys.length)];
      if (key !== undefined) {
        const chosen = open.get(key);
        open.delete(key);
        if (fault?.what === "throw" && written >= fault.after && thrown === null) {
          thrown = key;
          chosen?.fail(new Error("no network"));
        } else chosen?.settle(undefined as never);
      } else if (run.state.paused) say({ type: "resume" }, `r${count}`);
      else say(decisions[drawn(seed, count, "person") % decisions.length] as PersonEvent, `p${count}`);
    }
    if (!isDead && ended.error === undefined) {
      const happenings = lines().map((line) => JSON.parse(line) as RunRecord[]);
      return { happenings, state: run.state, output: ended.output, starts: pid + 1, begun, isHeldBack };
    }
    const { message } = (ended.error ?? { message: "" }) as Error;
    if (!isDead && message !== "no network" && message !== "no space left") throw ended.error;
    if (run.state.paused && [...open.keys(), ...(thrown === null ? [] : [thrown])].some((key) => delegates.test(key))) {
      isHeldBack = true;
    }
  }
  throw new Error("the run does not end");
}

const decisions: readonly PersonEvent[] = [
  ...(["retry", "skip", "skip-task", "stop"] as const).map((decision) => ({
    type: "decision.made" as const,
    decision,
  })),
  { type: "guidance.given", text: "look" },
];
