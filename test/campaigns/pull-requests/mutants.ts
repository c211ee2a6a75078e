import type { PolicyInput } from "../../../src/model/policy.ts";
import type { Book } from "../../../src/model/pull-request-book.ts";
import type { Mutant } from "./play-world.ts";

const changing =
  (more: object) =>
  (policy: PolicyInput): PolicyInput => ({
    ...policy,
    pullRequest: { ...policy.pullRequest, ...more },
  });

const bookOf = (input: never): Book => (input as { readonly book: Book }).book;

/** Defects that the worlds have to notice, each with a limit on seeds that is enough for that. */
export const mutants: Readonly<Record<string, Mutant>> = {
  "no cap on cycles": { policy: changing({ maxCycles: 1000 }) },
  "no cap on the fixes of a check": { policy: changing({ maxFixesPerCheck: 1000 }) },
  "waits where somebody else has pushed": {
    answer: (name, answer, now) =>
      name === "adoptHead" && answer.kind === "gate"
        ? { kind: "hindered", reason: "busy", until: now, detail: "" }
        : answer,
  },
  "a fix that has changed nothing counts as one": {
    input: (name, input) => {
      if (name === "verify") return { ...(input as object), ships: undefined };
      if (name !== "readPullRequest" && name !== "addPullRequestTask") return input;
      return { ...(input as object), book: { ...bookOf(input), tasks: elsewhere(bookOf(input).tasks) } };
    },
  },
  "no thread counts as answered": {
    input: (name, input) =>
      name === "readPullRequest" ? { ...(input as object), book: { ...bookOf(input), answered: {} } } : input,
  },
  "ready without a fresh look": {
    answer: (name, answer) => (name === "confirmPullRequest" ? { kind: "confirmed" } : answer),
  },
  "pushes without a look at what is there": {
    forces: true,
    input: (name, input) => (name === "pushBranch" ? { ...(input as object), head: null } : input),
  },
  "no deadline": { policy: changing({ maxTime: 2 ** 31 - 1 }) },
};

/** Tasks as they would be known without the head they were made for. */
const elsewhere = (tasks: Book["tasks"]): Book["tasks"] =>
  Object.fromEntries(
    Object.entries(tasks).map(([id, task]) => [id, { ...task, cause: { ...task.cause, head: "elsewhere" } }]),
  );
