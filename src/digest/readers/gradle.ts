import { listFindings } from "../finding-list.ts";
import { type JavaFailureReader, readJavaFailure } from "../java-failure.ts";
import type { LineReader, ToolReader } from "../reader.ts";

/** The tests that Gradle runs: `com.example.CalcTest > adds FAILED` with an exception below it. */
export const gradle: ToolReader = { tool: "gradle", kind: "tests", open: openGradle };

const outcome = " FAILED";
const completed = /^(\d{1,9}) tests? completed, (\d{1,9}) failed(?:, (\d{1,9}) skipped)?$/;

interface Test {
  readonly id: string;
  readonly failure: JavaFailureReader;
  hasException: boolean;
}

function openGradle(): LineReader {
  const findings = listFindings();
  let test: Test | null = null;
  let counts: { failed: number; ran: number } | null = null;
  const close = (): void => {
    // Without an exception below it, it may be something that a program prints.
    if (test?.hasException) {
      const { message, ...rest } = test.failure.end();
      findings.add({ id: test.id, ...rest, message: message ?? "failed" });
    }
    test = null;
  };
  return {
    read: (line) => {
      const first = line.charCodeAt(0);
      if (first === 0x20) {
        if (test === null || !line.startsWith("    ")) return;
        test.hasException = true;
        test.failure.read(line);
        return;
      }
      if (test !== null && line !== "") close();
      if (line.endsWith(outcome) && line.includes(" > ")) {
        const id = line.slice(0, -outcome.length);
        test = { id, failure: readJavaFailure(id.slice(0, id.indexOf(" > "))), hasException: false };
      } else if (first >= 0x30 && first <= 0x39 && line.includes(" completed, ")) {
        const [, all, wrong, skipped = 0] = completed.exec(line) ?? [];
        if (all === undefined) return;
        const before = counts ?? { failed: 0, ran: 0 };
        counts = { failed: before.failed + Number(wrong), ran: before.ran + Number(all) - Number(skipped) };
      }
    },
    end: () => {
      close();
      return findings.end(counts ?? {});
    },
  };
}
