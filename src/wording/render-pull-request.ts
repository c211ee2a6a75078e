import { plainLine } from "../markdown/text/plain-line.ts";
import type { Task } from "../model/task.ts";
import { inert } from "./reply-text.ts";

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
