import { clamp } from "../model/clamp.ts";
import type { NewTask } from "../model/new-task.ts";
import type { Comment } from "../model/pull-request.ts";

/** Characters of a title's summary, and of an error or a comment. */
const maxSummary = 60;
const maxText = 500;

/** What a task for a red check is made from. Every text is foreign. */
export interface RedCheck {
  readonly check: string;
  /** Others that are red for the same reason. */
  readonly others: readonly string[];
  readonly error: string;
  /** Paths that occur both in its log and in the change; none: `.`. */
  readonly files: readonly string[];
  /** Command that is to pass; null without one. */
  readonly verify: string | null;
}

/** The task for a red check. */
export function taskForCheck(id: string, { check, others, error, files, verify }: RedCheck): NewTask {
  const name = oneLine(check, maxSummary);
  const all = [check, ...others].map((each) => inCode(each)).join(", ");
  const steps = [
    `Make ${all} pass on this branch.`,
    `1. Read the failure: ${oneLine(error, maxText)}`,
    "2. Reproduce it with the project's own command",
    "3. Fix the cause and commit; do not weaken the check or its workflow",
  ];
  return {
    id,
    markers: [],
    title: `Fix CI failure: ${name} - ${oneLine(error, maxSummary)}`,
    fields: {
      do: steps.join("\n"),
      files: files.length === 0 ? "." : files.map((path) => inCode(path)).join(", "),
      doneWhen: `${all} ${others.length === 0 ? "passes" : "pass"} on the head commit`,
      ...(verify !== null && { verify: `\`${verify}\`` }),
      commit: `fix: address CI failure - ${name}`,
    },
  };
}

/** The task for what a reviewer has written. */
export function taskForThread(id: string, { author, body }: Comment, path: string | null): NewTask {
  const text = oneLine(withoutHidden(body), maxText);
  const who = oneLine(author ?? "", 40);
  return {
    id,
    markers: [],
    title: `Address review: ${who} - ${oneLine(text, maxSummary)}`,
    fields: {
      do: [
        "Address what a reviewer has written.",
        `1. Read the comment: ${text}`,
        "2. Make the change and commit it, or change nothing and end with the reason why not",
      ].join("\n"),
      files: path === null ? "." : inCode(path),
      doneWhen: "The review comment is addressed, or answered with a reason",
      commit: `fix: address review of ${who}`,
    },
  };
}

/** The task for a branch that cannot be merged. */
export const taskForConflict = (id: string, base: string, remote: string): NewTask => ({
  id,
  markers: [],
  title: `Resolve conflict with ${oneLine(base, maxSummary)}`,
  fields: {
    do: `Merge ${inCode(remote)}/${inCode(base)} into this branch, resolve the conflicts and commit the merge. Do not rebase, and push nothing.`,
    files: ".",
    doneWhen: `The branch holds ${inCode(remote)}/${inCode(base)} and no conflict is left`,
    commit: `fix: merge ${oneLine(base, maxSummary)}`,
  },
});

/** Where it is written, foreign text is made safe; here it only becomes short. */
const oneLine = (text: string, max: number): string => clamp(text.replace(/\s+/g, " ").trim(), max).trimEnd();
const inCode = (text: string): string => oneLine(text, 120).replaceAll("`", "'");

/** A comment without what only its source shows. */
export const withoutHidden = (body: string): string => body.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
