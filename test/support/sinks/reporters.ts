import assert from "node:assert/strict";
import type { Terminal } from "../../../src/hosts/cli/cli-command.ts";
import { renderError } from "../../../src/hosts/cli/render-error.ts";
import { plainReporter } from "../../../src/hosts/cli/reporters/plain-reporter.ts";
import type { Reporter } from "../../../src/hosts/cli/reporters/reporter.ts";
import { jsonReporter } from "../../../src/hosts/cli/reporters/reporter.ts";
import { treeReporter } from "../../../src/hosts/cli/reporters/tree-reporter.ts";
import { EnvironmentError, InputError } from "../../../src/model/errors.ts";
import { escapeLines } from "../../../src/wording/escape-text.ts";
import { renderExplanation } from "../../../src/wording/render-explanation.ts";
import { renderCheckpoint } from "../../../src/wording/report/render-checkpoint.ts";
import { task } from "../sample-plan.ts";
import { assertPrintable } from "./assert-printable.ts";
import { eventsOf } from "./foreign-events.ts";
import { explanationOf } from "./foreign-explanation.ts";
import { pureSink } from "./sink.ts";
import { reportOf } from "./stuck-report.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are our own
const ownSequences = /\r|\u001b\[(?:\d{1,3}A|2K|J|\?7[lh]|(?:2[0-9]|3[0-9]|90|0)m)/g;

function printed(open: (terminal: Terminal) => Reporter, text: string): string {
  let out = "";
  let time = Date.parse("2026-01-01T00:00:00.000Z");
  let tick = (): void => {};
  const print = (more: string): void => {
    out += more;
  };
  const terminal = {
    ...{ out: print, err: print, isTTY: true, columns: 100, rows: 30, colour: true },
    now: () => time,
    everySecond: (act: () => void) => {
      tick = act;
      return () => {};
    },
  };
  const reporter = open(terminal);
  for (const event of eventsOf(text)) {
    reporter.event(event);
    time += 60_000;
    tick();
  }
  reporter.close();
  return out;
}

/** In UTF-16 code units. No text of an event is longer. */
const longest = 16 * 1024;

/** Excludes lines that are printed each minute, because their number depends on the task. */
const countLines = (text: string): number =>
  text.split("\n").filter((line) => !/^(?:working on|verifying) .* for \d+m \(/.test(line)).length;
const wordLines = countLines(
  printed((terminal) => plainReporter(terminal, [task("1.1", { title: "First" })], "/"), "word"),
);

export const reporterSink = pureSink("terminal, reporters", (whole) => {
  const text = whole.slice(0, longest);
  const plain = printed((terminal) => plainReporter(terminal, [task("1.1", { title: "First" })], "/"), text);
  // The reason of an end may contain tabs.
  assertPrintable(plain.replaceAll("\t", ""));
  const own = text.includes("\n") ? Number.POSITIVE_INFINITY : wordLines;
  assert.ok(countLines(plain) <= own, "an additional line");
  assert.equal(plain.split("\n").filter((line) => line.trim() === "ALL_TASKS_COMPLETE").length, 1, "a forged end");
  assertPrintable(
    printed((terminal) => treeReporter(terminal, [task("1.1", { title: text })], "/"), text)
      .replace(ownSequences, "")
      .replaceAll("\t", ""),
  );
  const events = printed(jsonReporter, text).trimEnd().split("\n");
  assert.equal(events.length, eventsOf(text).length);
  for (const [index, event] of eventsOf(text).entries()) {
    assertPrintable(events[index] ?? "");
    // The reporter writes times in another form.
    assert.deepEqual(
      { ...JSON.parse(events[index] ?? ""), until: 1 },
      { ...JSON.parse(JSON.stringify(event)), until: 1 },
    );
  }
});

export const messageSink = pureSink("terminal, messages", (whole) => {
  const text = whole.slice(0, longest);
  const given = { code: "some-code", hint: text };
  for (const error of [new InputError(text, given), new EnvironmentError(text, given), new Error(text), text]) {
    const shown = renderError(error).text;
    assertPrintable(shown.replaceAll("\t", ""));
    assert.ok(!shown.split("\n").some((line) => line.trim() === "ALL_TASKS_COMPLETE"), "a forged end");
  }
  assertPrintable(renderExplanation(explanationOf(text)));
  assertPrintable(escapeLines(renderCheckpoint({ ...reportOf(text), path: text })));
});
