import { crc32 } from "node:zlib";
import type { Answer, Effect, EffectInput, EffectName } from "../../../src/model/effect.ts";
import type { Policy, PolicyInput } from "../../../src/model/policy.ts";
import type { RunState } from "../../../src/model/run-state.ts";
import { decisionState } from "../../../src/run/decision-state.ts";
import { chosenRoot } from "../../../src/run/spending.ts";
import { wholeWith } from "../../support/explore-task.ts";

export interface World {
  readonly seed: number;
  readonly tasks: readonly WorldTask[];
  readonly policy: PolicyInput;
}

interface WorldTask {
  readonly root: string;
  readonly group: number | null;
  readonly after: readonly string[];
}

export const drawn = (...parts: readonly (string | number)[]): number => crc32(`${parts.join(" ")}!`) >>> 3;

export function answerTo(world: World, policy: Policy, state: RunState, effect: Effect): Answer<EffectName> {
  const chance = drawn(world.seed, effect.key);
  switch (effect.name) {
    case "chooseTask":
      return choose(world, policy, state, chance);
    case "chooseCleanup":
      return { kind: "none" };
    case "mergeProgress":
      return { kind: "merged" };
    case "confirmCompletion":
      return Object.keys(state.skipped).length > 0 ? { kind: "skipped" } : { kind: "complete" };
    case "recordSkip":
      return skipped(effect.input);
    case "addPullRequestTask":
    case "adoptHead":
    case "answerThread":
    case "awaitChange":
    case "awaitTime":
    case "confirmPullRequest":
    case "openPullRequest":
    case "pushBranch":
    case "readPullRequest":
    case "rerunCheck":
    case "updateBranch":
      return ship(effect, chance);
    default: {
      const { task } = effect.input as { readonly task: string };
      const standing = decisionState(state, policy, { root: chosenRoot(state, task), current: task });
      const answers = wholeWith(2)(effect, standing);
      const isRare = ([label]: readonly [string, unknown]): boolean => label === "gate" || label === "denied";
      const usual = chance % 40 === 0 ? answers : answers.filter((each) => !isRare(each));
      const at = chance % 100 < 45 ? 0 : (chance >>> 7) % usual.length;
      return usual[at]?.[1] as Answer<EffectName>;
    }
  }
}

function choose({ tasks }: World, policy: Policy, state: RunState, chance: number): Answer<"chooseTask"> {
  if (chance % 60 === 0) return { kind: "gate", reason: "g", hint: "h" };
  const open = tasks.filter(({ root }) => !Object.hasOwn(state.accepted, root) && !Object.hasOwn(state.skipped, root));
  const [first] = open;
  if (first === undefined) return { kind: "none" };
  const isBatched = ({ root, group }: WorldTask): boolean =>
    group !== null && group === first.group && !Object.hasOwn(state.sequential, root);
  const members = open.filter(isBatched);
  if (members.length < 2 || policy.maxParallel < 2) return { kind: "task", root: first.root, current: first.root };
  const ids = new Set(members.map(({ root }) => root));
  return {
    kind: "batch",
    members: members.map(({ root, after }) => ({ root, current: root, after: after.filter((id) => ids.has(id)) })),
    width: policy.maxParallel,
  };
}

const skipped = ({ task, justification }: EffectInput<"recordSkip">): Answer<"recordSkip"> =>
  task.includes("~") ? { kind: "skipped", task } : { kind: "skipped", task, skipped: { root: task, justification } };

function ship({ name }: Effect, chance: number): Answer<EffectName> {
  if (chance % 5 === 0 && name !== "awaitTime" && name !== "awaitChange") {
    return { kind: "hindered", reason: "busy", until: chance % 1000, detail: "" };
  }
  const head = `c${chance % 3}`;
  const looks: readonly Answer<"readPullRequest">[] = [
    { kind: "green", flaky: chance % 2 === 0 ? ["test"] : [] },
    { kind: "pending", reason: "checks", until: 9 },
    { kind: "rerunDue", check: "test", job: "1" },
    { kind: "answerDue", thread: "t", comment: "c", task: "5.6" },
    { kind: "failing", cause: { kind: "check", check: "test", job: "1", head } },
    ...([{ kind: "behind" }, { kind: "moved", head }] as const),
  ];
  const answers: Partial<Record<EffectName, Answer<EffectName>>> = {
    pushBranch: chance % 4 === 1 ? { kind: "moved", head } : { kind: "pushed", head, fresh: true, at: 1 },
    adoptHead: { kind: "adopted", head, authors: [], at: 2 },
    openPullRequest: { kind: "opened", number: 7, url: "u", created: true },
    readPullRequest: looks[(chance >>> 5) % looks.length] as Answer<EffectName>,
    rerunCheck: { kind: "rerun", check: "test" },
    addPullRequestTask: { kind: "changed" },
    answerThread: { kind: "answered", thread: "t", comment: "c" },
    confirmPullRequest: { kind: chance % 3 === 0 ? "changed" : "confirmed" },
  };
  return answers[name] ?? { kind: "done" };
}
