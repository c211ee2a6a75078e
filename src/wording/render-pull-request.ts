import { plainLine } from "../markdown/text/plain-line.ts";
import type { Answer, EffectName } from "../model/effect.ts";
import type { AddedResult } from "../model/pull-request.ts";
import type { Task } from "../model/task.ts";
import { durationPhrase } from "../recover/verify-error.ts";

/** Maximum length of a title, below the limits of forges. */
const maxTitle = 200;
/** Maximum length of a body, below the limits of forges. */
const maxBody = 60_000;
const maxCommits = 50;

/** Content of a pull request. All texts but the title are untrusted. */
export interface PullRequestSource {
  readonly title: string | null;
  readonly spec: string;
  /** Subjects of the commits, newest first. */
  readonly commits: readonly string[];
  readonly tasks: readonly Pick<Task, "id" | "title" | "done">[];
}

/**
 * Render the title and body of a pull request. Only the title given by a person can mention someone, close an issue or
 * give a command; texts of the plan cannot.
 */
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
 * Render the answer to a review comment. Texts of executors are quoted as plain text: they mention no one, give no
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
 * Escape a line so that a forge finds no mention, reference, link, tag, list or command in it. A zero-width
 * space separates closing keywords from the issue number.
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
 * Line in the progress log for a finished step of a pull request; null for a step without a line.
 *
 * @param head Full hash of the pull request's last commit; null if there is no commit.
 */
export function shippingLine(answer: Answer<EffectName>, head: string | null): string | null {
  const { kind } = answer;
  if (kind === "opened") return answer.url;
  if (kind === "inserted") return "title" in answer ? `task ${answer.task}: ${answer.title}` : null;
  if (kind === "confirmed") return `ready at ${(head ?? "").slice(0, 10)}${renderRequesting(answer.requesting)}`;
  if (kind === "merged") return `merged${"requesting" in answer ? renderRequesting(answer.requesting) : ""}`;
  if (kind === "gate") return `waits for a person: ${answer.reason}`;
  if (kind !== "denied") return null;
  const { limit, max } = answer;
  return `stopped at ${limit}: ${limit === "maxTime" ? durationPhrase(max) : max}`;
}

export const renderRequesting = (requesting: readonly string[] = []): string =>
  requesting.length === 0 ? "" : `, changes still requested by ${requesting.join(", ")}`;
