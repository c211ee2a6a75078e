import { bytesOf, textOf } from "../../../src/adapters/files/read-own-file.ts";
import { readFailureRecovery } from "../../../src/adapters/settings/failure-recovery.ts";
import { parseAmount, parseCount, parseDuration } from "../../../src/hosts/cli/options/parse-value.ts";
import { toolNamed } from "../../../src/hosts/node/executors/known-tools.ts";
import { splitCommand } from "../../../src/model/command-line.ts";
import { nearestName } from "../../../src/model/text.ts";
import { isReset } from "./is-reset.ts";

export interface LineParser {
  readonly name: string;
  readonly seeds: readonly string[];
  readonly parse: (text: string) => unknown;
  readonly holds: (answer: never, text: string) => boolean;
}

const parser = <Answer>(
  name: string,
  seeds: readonly string[],
  parse: (text: string) => Answer,
  holds: (answer: Answer, text: string) => boolean,
): LineParser => ({ name, seeds, parse, holds });

const yaml =
  "failure_recovery:\n  pivot_count: 1\n  last_error: x # y\n  research_findings: [a, 'b']\nother: &a {b: *a}\n";

export const lineParsers: readonly LineParser[] = [
  parser(
    "split-command",
    ['claude -p \'a b\' "c\\"d" \\\n e', "sh -c 'x && y'"],
    splitCommand,
    (words, text) => words.length > 0 && words.join("").length <= text.length,
  ),
  parser(
    "parse-count",
    ["12", "0", "9007199254740991"],
    (text) => parseCount("--x", text, 1),
    (count) => Number.isSafeInteger(count) && count >= 1,
  ),
  parser(
    "parse-amount",
    ["2.50", "5", "0.01"],
    (text) => parseAmount("--x", text),
    (amount) => amount > 0 && Number.isFinite(amount),
  ),
  parser(
    "parse-duration",
    ["90s", "30m", "2h", "500ms"],
    (text) => parseDuration("--x", text),
    (ms) => ms >= 1 && ms < 2 ** 31,
  ),
  parser("parse-executor", ["claude", "Codex ", "gemni"], toolNamed, (name) => /^[a-z]+$/.test(name)),
  parser(
    "nearest-name",
    ["claude", "stauts"],
    (text) => nearestName(text, ["status", "run"]) ?? "",
    (name) => ["", "status", "run"].includes(name),
  ),
  parser(
    "failure-recovery",
    [yaml, "failure_recovery: {}"],
    readFailureRecovery,
    ({ escalation }) => escalation.findings.length <= 10,
  ),
  parser(
    "bytes-as-text",
    ["plain", "ünï"],
    (text) => textOf(Buffer.from(text)),
    ({ text: read, isUtf8 }, text) => (isUtf8 ? Buffer.from(read) : bytesOf(read)).equals(Buffer.from(text)),
  ),
  isReset,
];
