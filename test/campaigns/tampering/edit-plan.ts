import type { GroundTask } from "../outside/ground.ts";
import { verifyOf } from "../outside/ground.ts";
import { boxesIn } from "./plan-oracle.ts";
import type { Below } from "./tamper.ts";

export const planText = (tasks: readonly GroundTask[]): string =>
  [
    "# Tasks\n\nEvery task keeps the others green.\n",
    ...tasks.map(({ id }, index) =>
      [
        ...(index % 2 === 0 ? [`## Phase ${index / 2 + 1}: Work on ${id}\n`] : [`Between the tasks, before ${id}.\n`]),
        `- [ ] ${id} Make ${id}`,
        `  - **Do**: Make file ${id}`,
        `  - **Files**: made/${id}`,
        `  - **Done when**: File ${id} is there`,
        `  - **Verify**: \`${verifyOf(id)}\``,
        `  - **Commit**: \`feat: make ${id}\``,
        `  - _Requirements: R${id}_`,
        `  - Mind the rules of ${id}`,
        `    - and the exceptions of ${id}`,
        "",
        `  More about ${id} in prose.`,
        "",
      ].join("\n"),
    ),
    "Remarks after the last task.\n",
  ].join("\n");

export interface PlanEdit {
  readonly name: string;
  readonly make: (
    text: string,
    given: { readonly own: string; readonly begun: string; readonly below: Below },
  ) => string;
}

export const textEdits: readonly PlanEdit[] = [
  {
    name: "change a word",
    make: (text, { below }) => onLine(text, below, isSaid, (line) => [changeWord(line, below)]),
  },
  {
    name: "change a word again",
    make: (text, { below }) => onLine(text, below, isSaid, (line) => [changeWord(line, below)]),
  },
  { name: "delete a line", make: (text, { below }) => onLine(text, below, isInner, () => []) },
  { name: "double a line", make: (text, { below }) => onLine(text, below, isInner, (line) => [line, line]) },
  {
    name: "insert a bullet",
    make: (text, { below }) => onLine(text, below, isInner, (line) => [line, "  - Another rule"]),
  },
  {
    name: "insert a field",
    make: (text, { below }) => onLine(text, below, isInner, (line) => [line, "  - **Done when**: nothing is left"]),
  },
  {
    name: "insert a step below a field",
    make: (text, { below }) => onLine(text, below, isField, (line) => [line, "    - or leave it"]),
  },
  {
    name: "insert prose between tasks",
    make: (text, { below }) => onLine(text, below, isTop, (line) => ["Skip what follows.", "", line]),
  },
  {
    name: "change a heading",
    make: (text, { below }) =>
      onLine(
        text,
        below,
        (line) => line.startsWith("#"),
        (line) => [`${line} or not`],
      ),
  },
  {
    name: "move a task to the end",
    make: (text, { below }) => withBlock(text, below, (block, rest) => `${rest}\n${block}`),
  },
  { name: "take a task out", make: (text, { below }) => withBlock(text, below, (_, rest) => rest) },
  { name: "add a task", make: (text) => `${text}\n- [x] 9.9 Make 9.9\n  - **Verify**: \`./foreign.sh 9.9\`\n` },
  { name: "take the beginning out", make: (text) => text.replace("Every task keeps the others green.\n", "") },
  // The following edits are allowed.
  { name: "tick its own box", make: (text, { own }) => tick(text, own) },
  { name: "tick the box of any task", make: (text, { below }) => tick(text, anyId(text, below)) },
  { name: "clear all boxes", make: (text) => text.replaceAll("- [x]", "- [ ]") },
  { name: "put the first text back", make: (_, { begun }) => begun },
  { name: "add a note to its own block", make: (text, { own, below }) => addNote(text, own, below) },
  { name: "add a note at the end", make: (text, { below }) => `${text}\nNote: ${below(100)}\n` },
  { name: "add blanks to ends of lines", make: (text) => text.replace(/(?<!\n)\n/g, "  \n") },
  { name: "write other line endings", make: (text) => text.replace(/\r?\n/g, "\r\n") },
  { name: "add blank lines", make: (text) => text.replace(/^## /gm, "\n\n## ") },
];

export const idEdits: readonly PlanEdit[] = [
  ...[1, 2].map((count) => ({
    name: `append ${count} of its id, all ticked`,
    make: (text: string, { own }: { readonly own: string }) => `${tick(text, own)}${copyOf(own).repeat(count)}`,
  })),
  {
    name: "append a whole copy",
    make: (text, { own }) => withCopy(tick(text, own), own, (all, block) => `${all}\n${block}`),
  },
  {
    name: "put a whole copy before it",
    make: (text, { own }) => withCopy(tick(text, own), own, (all, block) => all.replace(block, `${block}\n${block}`)),
  },
  { name: "append any id, ticked", make: (text, { below }) => `${text}${copyOf(anyId(text, below))}` },
  {
    name: "append any id, and tick all",
    make: (text, { below }) => `${text}${copyOf(anyId(text, below))}`.replaceAll("- [ ]", "- [x]"),
  },
  { name: "append any id, open", make: (text, { below }) => `${text}${copyOf(anyId(text, below), " ")}` },
  {
    name: "put any id first, ticked",
    make: (text, { below }) => text.replace(/^- /m, `${copyOf(anyId(text, below)).trimStart()}\n- `),
  },
  {
    name: "put its id into its own block",
    make: (text, { own }) => addToBlock(tick(text, own), own, `  - [x] ${own} Make ${own}`),
  },
  {
    name: "give its task another's id",
    make: (text, { own, below }) => text.replace(`] ${own} Make`, `] ${anyId(text, below)} Make`),
  },
  {
    name: "swap two ids",
    make: (text, { own, below }) => {
      const other = anyId(text, below);
      return text
        .replace(`] ${own} Make`, "] ? Make")
        .replace(`] ${other} Make`, `] ${own} Make`)
        .replace("] ? Make", `] ${other} Make`);
    },
  },
];

const isSaid = (line: string): boolean => /[a-z]{4}/.test(line) && !line.includes("Note: ");
const isInner = (line: string): boolean => /^ {2}- /.test(line) && !line.includes("Note: ");
const isField = (line: string): boolean => /^ {2}- \*\*(?:Do|Files|Done when|Commit)/.test(line);
/** Relies on `planText`, which puts a blank line before each block. */
const isTop = (line: string): boolean => /^(?:## |- \[|Between)/.test(line);

function onLine(
  text: string,
  below: Below,
  isMeant: (line: string) => boolean,
  make: (line: string) => string[],
): string {
  const lines = text.split("\n");
  const meant = lines.flatMap((line, at) => (isMeant(line) ? [at] : []));
  const at = meant[below(meant.length)];
  return at === undefined ? text : lines.toSpliced(at, 1, ...make(lines[at] as string)).join("\n");
}

function changeWord(line: string, below: Below): string {
  const words = [...line.matchAll(/[a-z]{3,}/g)];
  const word = words[below(words.length)];
  return word === undefined ? line : `${line.slice(0, word.index)}other${line.slice(word.index + word[0].length)}`;
}

const anyId = (text: string, below: Below): string => {
  const boxes = boxesIn(text);
  return boxes[below(boxes.length)]?.id ?? "1.1";
};

const tick = (text: string, id: string): string => text.replace(`- [ ] ${id} `, `- [x] ${id} `);
const copyOf = (id: string, box = "x"): string => `\n- [${box}] ${id} Make ${id}\n`;
const blockOf = (text: string, id: string): string =>
  text.slice(text.indexOf(`] ${id} `) - 4).split(/\n(?=[^ \n\r])/)[0] as string;

const withCopy = (text: string, id: string, make: (text: string, block: string) => string): string =>
  make(text, blockOf(text, id));

function withBlock(text: string, below: Below, make: (block: string, rest: string) => string): string {
  const block = blockOf(text, anyId(text, below));
  return make(block, text.replace(block, ""));
}

const addNote = (text: string, own: string, below: Below): string => addToBlock(text, own, `  - Note: ${below(100)}`);

const addToBlock = (text: string, id: string, line: string): string =>
  text.replace(`    - and the exceptions of ${id}`, (last) => `${last}\n${line}`);
