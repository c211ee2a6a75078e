import { listFindings } from "../finding-list.ts";
import { type Finding, type LineReader, maxFindings, type ToolReader } from "../reader.ts";
import { openRspecFailure, type RspecFailureReader } from "./rspec-failure.ts";

/** RSpec as it prints for people. An example is named by all of its description, as in no other form it has a file. */
export const rspec: ToolReader = { tool: "rspec", kind: "tests", open: openRspec };

const heading = /^ {2}\d{1,6}\) (\S.{0,2000})$/;
const outside = /^An error occurred (?:while loading|in an?) (\S.{0,500}?)\.?$/;
const total =
  /^(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?(?:, (\d{1,9}) errors? occurred outside of examples)?$/;

interface Failure {
  readonly id: string;
  readonly file: string | null;
  readonly isOutside: boolean;
  readonly reader: RspecFailureReader;
}

function openRspec(): LineReader {
  const findings = listFindings();
  /** Those of a run whose sum has not come. */
  let found: Finding[] = [];
  let more = 0;
  let isList = false;
  let failure: Failure | null = null;
  let counts: { failed: number; ran: number } | null = null;

  const close = (): void => {
    const said = failure?.reader.end() ?? null;
    // Without a reason it is something that a program prints.
    if (failure !== null && said !== null) {
      const { id, file } = failure;
      if (found.length < maxFindings)
        found.push({ ...said, id, file: file ?? said.file, message: said.message ?? "failed" });
      else more += 1;
    }
    failure = null;
  };
  const finish = (): void => {
    close();
    for (const finding of found) findings.addEach(finding);
    found = [];
  };
  const readTotal = (line: string): boolean => {
    const [, run, failed, pending = 0, errors = 0] = total.exec(line) ?? [];
    if (run === undefined) return false;
    const wrong = Number(failed) + Number(errors);
    if (wrong === 0) {
      failure = null;
      found = [];
    }
    finish();
    isList = false;
    const before = counts ?? { failed: 0, ran: 0 };
    counts = { failed: before.failed + wrong, ran: before.ran + Number(run) - Number(pending) };
    return true;
  };

  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) {
        if (isList && line.charCodeAt(2) !== 0x20) {
          const [, title] = heading.exec(line) ?? [];
          if (title !== undefined) {
            close();
            failure = { id: title.replace(/ FIXED$/, ""), file: null, isOutside: false, reader: openRspecFailure() };
            return;
          }
        }
      } else if (first === 0x41 && line.startsWith("An error occurred ")) {
        const [, where] = outside.exec(line) ?? [];
        if (where === undefined) return;
        close();
        const file = where.endsWith(".rb") ? withoutDot(where) : null;
        failure = { id: where, file, isOutside: true, reader: openRspecFailure() };
        return;
      } else if (first === 0x46 || first === 0x50) {
        if (line === "Failures:" || line.startsWith("Failed examples:") || line.startsWith("Pending: (")) {
          close();
          isList = line === "Failures:";
          return;
        }
        if (line.startsWith("Finished in ")) {
          close();
          isList = false;
        }
      } else if (first >= 0x30 && first <= 0x39 && line.includes(" example") && readTotal(line)) return;
      // What is said of an example is indented; what a program prints seldom is.
      if (failure !== null && (failure.isOutside || line === "" || line.startsWith("     "))) failure.reader.read(line);
    },
    end: () => {
      finish();
      const listed = findings.size() + more;
      return findings.end(counts ?? (more > 0 ? { failed: listed } : {}));
    },
  };
}

const withoutDot = (path: string): string => (path.startsWith("./") ? path.slice(2) : path);
