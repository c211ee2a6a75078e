import { listFindings } from "../finding-list.ts";
import { type JavaFailureReader, readJavaFailure } from "../java-failure.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The tests that Maven runs: surefire and failsafe, from version 2 on. */
export const maven: ToolReader = { tool: "maven", kind: "tests", open: openMaven };

const level = "[ERROR] ";
const outcome = /<<< (?:FAILURE|ERROR)!/;
/** `adds(com.example.CalcTest)`, as surefire writes before version 3. */
const withClass = /^([^\s(](?:.{0,400}[^\s(])?)\(([\w.$]{1,400})\)$/;
const total = /^Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})$/;

interface Test {
  readonly id: string;
  readonly failure: JavaFailureReader;
}

function openMaven(): LineReader {
  const findings = listFindings();
  let test: Test | null = null;
  let isSummary = false;
  let counts: { failed: number; ran: number } | null = null;
  const close = (): void => {
    if (test === null) return;
    const { message, ...rest } = test.failure.end();
    findings.add({ id: test.id, ...rest, message: message ?? "failed" });
    test = null;
  };
  const readTotal = (line: string): void => {
    const [, run, failures, errors, skipped] = total.exec(line) ?? [];
    if (run === undefined) return;
    const { failed, ran } = counts ?? { failed: 0, ran: 0 };
    counts = { failed: failed + Number(failures) + Number(errors), ran: ran + Number(run) - Number(skipped) };
    isSummary = false;
  };
  return {
    read: (line) => {
      if (line.includes("<<< ") && outcome.test(line)) {
        const opened = testOf(line.startsWith(level) ? line.slice(level.length) : line);
        if (opened !== undefined) {
          close();
          test = opened;
        }
        return;
      }
      if (line.charCodeAt(0) === 0x5b && (line.startsWith(level) || line.startsWith("[INFO]"))) {
        close();
        const text = line.slice(level.length).trim();
        if (text === "Failures:" || text === "Errors:") isSummary = findings.size() > 0;
        else if (isSummary) readTotal(text);
        return;
      }
      test?.failure.read(line);
    },
    end: () => {
      close();
      return findings.end(counts ?? {});
    },
  };
}

/** Undefined for the sum of a class. */
function testOf(line: string): Test | undefined {
  const end = line.indexOf(" Time elapsed: ");
  const head = end === -1 ? "" : line.slice(0, end).trim();
  if (head === "" || head.startsWith("Tests run:")) return undefined;
  if (head.endsWith(" --")) {
    const id = head.slice(0, -3);
    const values = id.search(/[([{]/);
    const name = values === -1 ? id : id.slice(0, values);
    return { id, failure: readJavaFailure(name.slice(0, Math.max(0, name.lastIndexOf(".")))) };
  }
  const [, method, owner] = withClass.exec(head) ?? [];
  // Without a method it is the class that could not be set up.
  if (method === undefined || owner === undefined) return { id: head, failure: readJavaFailure(head) };
  return { id: `${owner}.${method}`, failure: readJavaFailure(owner) };
}
