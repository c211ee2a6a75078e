import { describe, expect, it } from "vitest";
import { openPlan } from "../../src/markdown/document/plan-document.ts";

function timeOf(text: string): number {
  const times = [0, 1, 2].map(() => {
    const start = process.cpuUsage();
    const { tasks, problems } = openPlan(text).plan;
    expect([tasks, problems]).toBeDefined();
    return process.cpuUsage(start).user;
  });
  return Math.min(...times);
}

const shapes: Readonly<Record<string, (size: number) => string>> = {
  "underlined headings": (size) => "a\n---\n".repeat(size),
  "headings underlined otherwise": (size) => "a\n===\n".repeat(size),
  "underlined headings in one item": (size) => `- [ ] 1.1 a\n${"  a\n  ---\n".repeat(size)}`,
  "lazy lines after nested quotes": (size) => `${"> ".repeat(60)}a\na\n`.repeat(size),
  "items in one line": (size) => `${"- ".repeat(size)}a\n`.repeat(8),
  brackets: (size) => `${"[".repeat(size)}\n`.repeat(8),
  "lines with brackets": (size) => `[ ] a\n${"[a] [b\n".repeat(size)}`,
  "definitions with open titles": (size) => "[a]: b 'c\n".repeat(size),
  "words up to a sign that opens a tag": (size) => `${"a ".repeat(32 * size)}<\n<\n`,
  "lines up to a sign that opens a tag": (size) => `<a\n${"a b\n".repeat(size)}<\n`,
  comments: (size) => "<!-- a\n-->\n".repeat(size),
  "an open comment": (size) => `<!--\n${"# a\n".repeat(size)}`,
  "open fences in items": (size) => "- ```\n  a\n".repeat(size),
  "blank lines in a fence": (size) => `\`\`\`\n${"\n".repeat(size)}x\n`,
  "blank lines in a task": (size) => `- [ ] 1.1 a\n${"\n".repeat(size)}  x\n`,
  "sub-tasks of one task": (size) => `- [ ] 1 a\n${"  - [ ] 1.1 b\n".repeat(size)}`,
  "numbers within a paragraph": (size) => `a\n${"2. [ ] a\n".repeat(size)}`,
};

/** In microseconds. Shorter times are too inaccurate to compare. */
const measurable = 20_000;

function growthOf(write: (size: number) => string): number {
  let size = 512;
  while (timeOf(write(size)) < measurable) size *= 2;
  const time = timeOf(write(4 * size));
  return time / timeOf(write(size));
}

describe("the time of reading a hostile text", () => {
  it.each(Object.entries(shapes))("grows linearly with its size: %s", (_, write) => {
    // Quadratic time would always give a ratio of about sixteen.
    expect([0, 1, 2].some(() => growthOf(write) < 12)).toBe(true);
  });
});
