import type { PlanContext } from "../ports/delegation-parts.ts";
import { fenceText, firstPart, onOneLine } from "./fence-text.ts";

const maxTitle = 300;
const maxGoal = 1500;
const maxRequirements = 4000;

const named = /(?<![A-Za-z])Requirements?:\s*([^\n_]{1,200})/i;
const reference = /\b(?:[A-Z]{2,4}-)?\d+(?:\.\d+)?\b/g;
const heading = /^#{1,6}[ \t]+(?:Requirement|需求|要件)[ \t]*(\d+)\b.*$/gim;

export function renderContext(context: PlanContext, block: string): string | null {
  const { phase, goal, checkpoint = "", criteria = "", status, groups, documents } = context;
  const accepted = criteriaFor(block, criteria);
  const requirements = requirementsFor(block, documents.find(({ name }) => name === "requirements.md")?.text ?? "");
  const parts = [
    phase === null ? null : `Below the heading: ${onOneLine(phase, maxTitle)}`,
    groups.length === 0 ? null : `Part of: ${groups.map((title) => onOneLine(title, maxTitle)).join(" > ")}`,
    goal.trim() === "" ? null : `Text below that heading:\n${fenceText(firstPart(goal, maxGoal), "markdown")}`,
    checkpoint === ""
      ? null
      : `Criterion for all tasks below that heading:\n${fenceText(firstPart(checkpoint, maxGoal), "markdown")}`,
    accepted === ""
      ? null
      : `Acceptance criteria that the task names:\n${fenceText(firstPart(accepted, maxRequirements), "markdown")}`,
    status === undefined ? null : `Status in tasks.md, not to be changed: ${onOneLine(status, maxTitle)}`,
    requirements === ""
      ? null
      : `Requirements that the task names:\n${fenceText(firstPart(requirements, maxRequirements), "markdown")}`,
    documents.length === 0
      ? null
      : `Documents beside tasks.md; read what is relevant to this task: ${documents.map(({ name }) => name).join(", ")}`,
  ];
  const told = parts.filter((part) => part !== null);
  return told.length === 0 ? null : told.join("\n\n");
}

const accepting = /\(AC:?[ \t]*([^)\n]{1,100})\)/i;
const criterion = /^[ \t]*(?:[-*][ \t]+)?(?:\*\*)?(?:AC[ \t#-]{0,3})?(\d{1,3})[.):]/i;
/** Maximum number of criteria in a range such as `2-4`. */
const longestRange = 50;

/** Find the lines of the criteria that a task names, such as `(AC: 1, #3-4)`. */
function criteriaFor(block: string, section: string): string {
  const wanted = new Set(
    [...(accepting.exec(block)?.[1] ?? "").matchAll(/(\d{1,3})(?:[ \t]?[\u2013-][ \t]?#?(\d{1,3}))?/g)].flatMap(
      ([, first = "", last = first]) =>
        Array.from({ length: Math.min(longestRange, Math.max(0, +last - +first) + 1) }, (_, n) => +first + n),
    ),
  );
  if (wanted.size === 0) return "";
  let isWanted = false;
  return section
    .split(/\r\n|\n|\r/)
    .filter((line) => {
      const number = criterion.exec(line)?.[1];
      if (number !== undefined) isWanted = wanted.has(Number(number));
      return isWanted && line.trim() !== "";
    })
    .join("\n");
}

/** Find the headings and texts of the requirements that a task names, such as `_Requirements: 1.2, 3_`. */
function requirementsFor(block: string, text: string): string {
  const wanted = (named.exec(block)?.[1] ?? "").match(reference) ?? [];
  if (wanted.length === 0 || text === "") return "";
  const sections = new Map<string, string>();
  const found = [...text.matchAll(heading)];
  found.forEach(({ 1: number = "", index }, at) => {
    sections.set(number, text.slice(index, found[at + 1]?.index ?? text.length));
  });
  return [...new Set(wanted.map((word) => word.split(".", 1)[0] as string))]
    .flatMap((number) => {
      const section = sections.get(number);
      return section === undefined ? linesWith(text, wanted) : criteriaOf(section, number, wanted);
    })
    .join("\n");
}

/** Find the lines that begin with the name of a requirement, such as `- FR-1: …`. */
const linesWith = (text: string, wanted: readonly string[]): string[] =>
  text.split(/\r?\n/).filter((line) => wanted.some((word) => /[A-Z]/.test(word) && line.slice(0, 20).includes(word)));

/** Keep the heading of a requirement, its story, and the named criteria; all criteria if none is named. */
function criteriaOf(section: string, number: string, wanted: readonly string[]): string[] {
  const numbers = wanted.flatMap((word) => (word.startsWith(`${number}.`) ? [word.slice(number.length + 1)] : []));
  const lines = section.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (numbers.length === 0 || wanted.includes(number)) return lines;
  return lines.filter((line, index) => {
    const criterion = /^\s*(\d+)[.)]\s/.exec(line)?.[1];
    return criterion === undefined ? index < 2 : numbers.includes(criterion);
  });
}
