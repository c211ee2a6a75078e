import { plainLine } from "../markdown/text/plain-line.ts";
import type { Answer, EffectName } from "../model/effect.ts";
import type { AddedResult } from "../model/pull-request.ts";
import type { Task } from "../model/task.ts";
import { tellDuration } from "../recover/verify-error.ts";

/** Characters of a title and of a body, below what forges take. */
const maxTitle = 200;
const maxBody = 60_000;
const maxCommits = 50;

/** What a pull request is described from. All texts but the title are foreign. */
export interface PullRequestSource {
  /** As a person has given it; null where nobody has. */
  readonly title: string | null;
  readonly spec: string;
  /** Subjects, newest first. */
  readonly commits: readonly string[];
  readonly tasks: readonly Pick<Task, "id" | "title" | "done">[];
}

/** Title and body of a pull request: what it mentions, closes or commands is what a person wrote, never a plan. */
export function renderPullRequest({ title, spec, commits, tasks }: PullRequestSource) {
  const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");
  const done = tasks.filter((task) => task.done).map((task) => `${line(task.id)} ${line(task.title)}`);
  const shown = commits.slice(0, maxCommits).map(line);
  const parts = [
    `Work on the spec ${line(spec)}.`,
    ...(done.length > 0 ? [`## Tasks\n\n${list(done)}`] : []),
    ...(shown.length > 0 ? [`## Commits\n\n${list(shown)}`] : []),
  ];
  const body = parts.join("\n\n");
  return {
    title: plainLine(title ?? `feat: ${spec}`, maxTitle),
    body: body.length <= maxBody ? `${body}\n` : `${body.slice(0, maxBody).trimEnd()}\n\n…\n`,
  };
}

const line = (text: string): string => inert(plainLine(text, maxTitle));

const maxReason = 1000;

/**
 * What is written below a review comment. Words of executors are quoted as plain text: they mention nobody, give no
 * command to a program, and close no issue.
 */
export function answerText(task: string, { commit, reply }: AddedResult, marker: string): string {
  const what =
    commit === null
      ? `No change was made (task ${task}).\n\n${quoted(reply)}`
      : `Addressed in ${commit} (task ${task}).`;
  return `${what.trim()}\n\n${marker}\n`;
}

function quoted(reply: string): string {
  const words = plainLine(reply.replace(/\bTASK_COMPLETE\b|<!--[\s\S]*?(?:-->|$)/g, " "), maxReason);
  return words === "" ? "" : `> ${inert(words)}`;
}

/**
 * One line of foreign text in which a forge finds no mention, reference, link, tag, list or command. Words with which it
 * would close an issue stand apart from the number.
 */
const inert = (line: string): string =>
  line
    .replace(/[\\`*_[\]<>|~#]/g, "\\$&")
    .replace(/^(\d{0,9})([-+.)])/, "$1\\$2")
    .replace(/@(?=[\w-])/g, "@\u200B")
    .replace(/\/(?=[a-z/])/gi, "/\u200B")
    .replace(/:(?=\/)/g, ":\u200B")
    .replace(/\b(close[sd]?|fix(?:e[sd])?|resolve[sd]?)(:?\s+)(?=\S*#)/gi, "$1\u200B$2");

/**
 * What the progress log says when a step for a pull request has ended so; null for what is not worth a line.
 *
 * @param head Full hash of the commit that it is about; null without one.
 */
export function shippingLine(answer: Answer<EffectName>, head: string | null): string | null {
  const { kind } = answer;
  if (kind === "opened") return answer.url;
  if (kind === "inserted") return "title" in answer ? `task ${answer.task}: ${answer.title}` : null;
  if (kind === "confirmed") return `ready at ${(head ?? "").slice(0, 10)}${tellRequesting(answer.requesting)}`;
  if (kind === "merged") return `merged${"requesting" in answer ? tellRequesting(answer.requesting) : ""}`;
  if (kind === "gate") return `waits for a person: ${answer.reason}`;
  if (kind !== "denied") return null;
  const { limit, max } = answer;
  return `stopped at ${limit}: ${limit === "maxTime" ? tellDuration(max) : max}`;
}

/** Who still requests changes, behind what was said before. */
export const tellRequesting = (requesting: readonly string[] = []): string =>
  requesting.length === 0 ? "" : `, changes still requested by ${requesting.join(", ")}`;
