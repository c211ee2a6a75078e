import * as z from "zod";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { countOf } from "../../../model/text.ts";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { renderItems } from "../../../wording/render-items.ts";
import { restoreAttempt } from "../../node/attempts/restore-attempt.ts";
import {
  diffAttempts,
  type ListedAttempt,
  type ListedAttempts,
  listAttempts,
} from "../../node/attempts/snapshots-of.ts";
import { command, isSpecIn, json, runNumber } from "../command.ts";
import { flag } from "../options/read-flag.ts";
import { askPerson } from "../person-at.ts";

export const attempts = command({
  options: { run: runNumber, json },
  example: "fixpoint attempts 1.3 my-feature",
  async run({ words: [first, second], given, open, print, surroundings: { folder } }) {
    const isSpec = first !== undefined && second === undefined && isSpecIn(first, folder);
    const [task, named] = isSpec ? [undefined, first] : [first, second];
    const { spec, address } = open(named, `attempts ${task ?? ""}`.trimEnd());
    const listed = await listAttempts({ spec, address, folder, run: given.run }, task);
    print(listed, () => renderAttempts(listed));
  },
});

function renderAttempts({ run, attempts }: ListedAttempts): string {
  if (attempts.length === 0) return run === 0 ? "There is no run yet\n" : `No attempts in run ${run}\n`;
  const rows = attempts.map((attempt) => [attempt.key, attempt.result, failingOf(attempt), changesOf(attempt)]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) => `${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}\n`).join("");
}

const failingOf = ({ failing }: ListedAttempt): string => (failing === null ? "" : `${failing} failing`);

const changesOf = ({ changes }: ListedAttempt): string =>
  changes === null ? "not kept" : `${countOf(changes.files, "file")}, +${changes.added} -${changes.removed}`;

export const diff = command({
  options: { run: runNumber },
  example: "fixpoint diff 1.3#1 1.3#2 my-feature",
  async run({ words: [key = "", ...more], given, open, surroundings: { terminal, folder } }) {
    const [other, named] = more[0]?.includes("#") === true ? more : [undefined, more[0]];
    const { spec, address } = open(named, `diff ${key}`.trimEnd());
    const text = await diffAttempts({ spec, address, folder, run: given.run }, key, other);
    // Report this on standard error: standard output holds only a patch.
    if (text === "")
      terminal.err(
        `${escapeText(`Nothing was changed: ${other === undefined ? key : `${key} and ${other} are equal`}`)}\n`,
      );
    terminal.out(terminal.isTTY ? escapeLines(text) : text);
  },
});

export const restore = command({
  options: {
    before: flag(z.boolean(), "--before", "restore the files as they were before the attempt, not after it"),
    yes: flag(z.boolean(), "--yes", "agree in advance"),
    run: runNumber,
  },
  example: "fixpoint restore 1.3#1 my-feature -- src/parser.ts",
  async run({ words, files = [], given, open, surroundings: { terminal, folder } }) {
    const [key = "", named, ...more] = words;
    if (more.length > 0) throw unexpected(more);
    const { spec, address } = open(named, `restore ${key}`.trimEnd());
    const { ask, out } = terminal;
    const asked = { key, before: given.before === true, files };
    const done = await restoreAttempt({ spec, address, folder, run: given.run }, asked, async (paths) => {
      const question = `Restoring ${key} writes or removes:`;
      if (given.yes === true || (ask !== undefined && (await askPerson(question, paths, ask, out, terminal)))) return;
      throw new InputError(
        `Cannot restore \`${key}\` without your consent. The restore would write or remove:\n${renderItems(paths)}`,
        {
          code: "restore-not-agreed",
          hint: "Agree with --yes",
        },
      );
    });
    const told =
      done === null
        ? [`Nothing to restore: the files already match ${key}`]
        : [
            ...done.written.map((path) => `written: ${path}`),
            ...done.removed.map((path) => `removed: ${path}`),
            ...done.left.map(({ path, why }) => `stays: ${path}: ${why}`),
            `Restore the previous files: ${commandLine(address, "restore", { task: done.saved })}`,
          ];
    out(told.map((line) => `${escapeText(line)}\n`).join(""));
  },
});

const unexpected = ([word = ""]: readonly string[]): InputError =>
  new InputError(`Cannot use \`${word}\`, expected files after --`, {
    code: "bad-usage",
    hint: "fixpoint restore 1.3#1 my-feature -- src/parser.ts",
  });
