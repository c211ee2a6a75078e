import type { NewTask } from "../model/plan-change.ts";
import { numberedHeadings, tasksWithoutBox, unreadHeadings } from "./document/heading-tasks.ts";
import { placeHeadings } from "./document/place-tasks.ts";
import { openPlan } from "./document/plan-document.ts";
import { type GsdElement, gsdElements } from "./gsd-elements.ts";
import { readTitle } from "./tasks/read-title.ts";
import { readVerify } from "./tasks/read-verify.ts";
import { splitLines, trimBlank } from "./text/line-ending.ts";

/** A plan of GSD: its tasks are XML elements. */
export interface GsdPlan {
  readonly objective: string | null;
  /** In the order of the plan, with ids from 1. */
  readonly tasks: readonly NewTask[];
}

const typed = /\btype="checkpoint:/;
const filesAttribute = /\bfiles="([^"]{1,4000})"/;
const number = /^(?:Task[ \t]{1,8})?(\d{1,4}(?:\.\d{1,4}){0,3})[ \t]{0,8}[:.)-][ \t]{1,8}/i;
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Read a GSD plan. Each `<task>` element becomes a task that refers to the lines of the element; its files, criterion
 * and Verify command become fields, and a human checkpoint becomes a task for a person. A plan without `<task>`
 * elements may have headings such as `### Task 1: Title` instead. Never throws.
 *
 * @param text Content of a file such as `01-02-PLAN.md`. @param name Name of that file in the text of tasks.
 */
export function readGsd(text: string, name: string): GsdPlan {
  const objective = elementIn(text, "objective")
    ?.split("\n")
    .find((line) => line.trim() !== "");
  const elements = gsdElements(text).map((element, at) => taskOf(element, at + 1, name));
  return { objective: objective?.trim() ?? null, tasks: elements.length > 0 ? elements : tasksOfHeadings(text, name) };
}

/** A mark at the start or end of a heading whose task is done. */
const doneMark = /^[✅☑✔]|[✅☑✔]\uFE0F?(?: (?:completed?|done))?$|[([](?:completed?|done)[)\]]$/iu;

function tasksOfHeadings(text: string, name: string): NewTask[] {
  const { chunks, plan } = openPlan(text);
  const done = new Set(plan.tasks.flatMap(({ start, done }) => (done ? [start] : [])));
  const placed = placeHeadings(chunks, text.length);
  const named = unreadHeadings([], placed);
  const tasks = tasksWithoutBox(
    (named.length > 0 ? named : numberedHeadings(placed)).filter(
      ({ title, start }) => !doneMark.test(title) && !done.has(start),
    ),
    text,
  );
  const ids = new Set(tasks.map(({ id }) => readTitle(`${id} a`).id));
  const isKept = ids.size === tasks.length && tasks.every(({ id }) => ids.has(id));
  return tasks.map(({ id, markers, title, fields, line, end }, at) => ({
    ...{ id: isKept ? id : String(at + 1), markers, title },
    fields: { ...fields, do: reference(line, splitLines(text.slice(0, end)).length, name) },
  }));
}

const reference = (first: number, last: number, name: string): string =>
  `Do the task of lines ${first} to ${last} of ${name}: read all of it there, and do not change that file`;

function taskOf({ head, first, last, inner }: GsdElement, at: number, name: string): NewTask {
  const isOfPeople = typed.test(head);
  const named = ["name", "what-built", "decision"].map((name) => elementIn(inner, name)).find((text) => text !== null);
  const [said = ""] = splitLines(elementIn(inner, "action") ?? "");
  const title =
    splitLines(trimBlank(named ?? said))
      .join(" ")
      .replace(number, "") || `Task ${at}`;
  const verify = commandIn(inner);
  const proof = verify === null ? elementIn(inner, "verify") : null;
  const done = [elementIn(inner, "done"), proof]
    .filter((part) => part !== null)
    .map((part) => splitLines(part).join(" "));
  const files = elementIn(inner, "files") ?? filesAttribute.exec(head)?.[1] ?? null;
  return {
    id: String(at),
    markers: [],
    title: isOfPeople ? `Manual: ${title}` : title,
    fields: {
      do: reference(first, last, name),
      ...(files !== null && { files: listOf(files) }),
      ...(done.length > 0 && { doneWhen: done.join("; ") }),
      ...(verify !== null && { verify }),
    },
  };
}

const listOf = (files: string): string =>
  files
    .split(/[\n,]/)
    .map((path) => path.replace(/^[ \t]{0,40}[-*][ \t]/, "").trim())
    .filter((path) => path !== "")
    .map((path) => (path.includes("`") ? path : `\`${path}\``))
    .join(", ");

/** Verify command, as code: the text of `<automated>`, or of `<verify>` if it is only a command. */
function commandIn(inner: string): string | null {
  const verify = elementIn(inner, "verify");
  const automated = verify === null ? null : elementIn(verify, "automated");
  const text = automated ?? verify;
  if (text === null || text.includes("<")) return null;
  const command = splitLines(text)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [only = ""] = command;
  if (command.length !== 1 || /^MISSING\b/.test(only)) return null;
  if (only.includes("`")) return readVerify(only).kind === "command" ? only : null;
  return automated === null && !looksRun.test(only) ? null : `\`${only}\``;
}

/** Text that begins like a command, not like a sentence. */
const looksRun = /^(?:[a-z][\w.-]{0,40}|\.{0,2}\/[\w./-]{1,200})[ \t]+(?:-|[\w./-]{0,80}[./]|&&|test\b|run\b|build\b)/;

/** Decoded text of the first element with this name. */
function elementIn(text: string, name: string): string | null {
  const start = text.indexOf(`<${name}>`);
  const from = start + name.length + 2;
  const end = start < 0 ? -1 : text.indexOf(`</${name}>`, from);
  return end < 0 ? null : trimBlank(decode(text.slice(from, end)));
}

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, entity: string) => entities[entity] as string);
