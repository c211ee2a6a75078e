import {
  type LineReader,
  listFindings,
  numbersIn,
  type Said,
  type SaidReader,
  type ToolReader,
  valuesIn,
} from "../reader.ts";

const frame = /^\s{0,20}at ([\w.$/@-]{1,500})\(([\w$-]{1,200}\.\w{1,10}):(\d{1,9})\)/;
/** Gradle's short form: `java.lang.AssertionError at CalcTest.java:12`. */
const short = /^([\w.$]{1,300}) at ([\w$-]{1,200}\.\w{1,10}):(\d{1,9})$/;
const assertion =
  /^(?:java\.lang\.AssertionError|org\.opentest4j\.AssertionFailedError|junit\.framework\.AssertionFailedError|(?:org\.junit|junit\.framework)\.ComparisonFailure): ?/;

/**
 * Read an exception of the Java virtual machine with its stack.
 *
 * @param owner The class of the test: the first position in this class in the stack is reported.
 */
function readJavaFailure(owner: string): SaidReader {
  let message: string | null = null;
  let file: string | null = null;
  let line: number | null = null;
  let isStack = false;
  return {
    read: (text) => {
      if (text.includes("at ")) {
        const [, called, name, at] = frame.exec(text) ?? [];
        if (called !== undefined && name !== undefined) {
          isStack = true;
          if (file === null && isOf(owner, called)) {
            file = name;
            line = Number(at);
          }
          return;
        }
      }
      const said = text.trim();
      if (isStack || said === "" || (message !== null && message !== "")) return;
      const [, error, name, at] = message === null ? (short.exec(said) ?? []) : [];
      if (error === undefined || name === undefined) message = said.replace(assertion, "");
      else {
        message = error;
        file = name;
        line = Number(at);
      }
    },
    end: () => ({ file, line, message: message === "" ? null : message, ...sidesOf(message ?? "") }),
  };
}

const isOf = (owner: string, called: string): boolean =>
  called.startsWith(`${owner}.`) || called.startsWith(`${owner}$`);

/** Read `expected:<3> but was:<-1>`; since JUnit 5, there are spaces before the values. */
function sidesOf(message: string): Pick<Said, "expected" | "actual"> {
  const start = message.indexOf("expected:");
  const middle = message.indexOf("> but was:", start);
  if (start === -1 || middle === -1) return {};
  const expected = textOf(message.slice(start + "expected:".length, middle + 1));
  const actual = textOf(message.slice(middle + "> but was:".length));
  return expected === null || actual === null ? {} : { expected, actual };
}

function textOf(text: string): string | null {
  const value = text.trim();
  return value.startsWith("<") && value.endsWith(">") ? value.slice(1, -1) : null;
}

/** Maven's tests: surefire and failsafe, since version 2. */
export const maven: ToolReader = { tool: "maven", kind: "tests", open: openMaven };

const level = "[ERROR] ";
const failure = /<<< (?:FAILURE|ERROR)!/;
/** `adds(com.example.CalcTest)`, by surefire before version 3. */
const withClass = /^([^\s(](?:.{0,400}[^\s(])?)\(([\w.$]{1,400})\)$/;
const mavenTotal =
  /^(?:\[(?:INFO|WARNING|ERROR)\] {1,4})?(Tests run: \d{1,9}, Failures: \d{1,9}, Errors: \d{1,9}, Skipped: \d{1,9})$/;
const mavenNone = /^(?:\[INFO\] )?No tests to run\.$/;

interface MavenTest {
  readonly id: string;
  readonly failure: SaidReader;
}

function openMaven(): LineReader {
  const findings = listFindings();
  let test: MavenTest | null = null;
  const close = (): void => {
    if (test === null) return;
    findings.add({ id: test.id, ...test.failure.end() });
    test = null;
  };
  const readTotal = (line: string): void => {
    const [, told] = mavenTotal.exec(line) ?? [];
    if (told !== undefined) {
      const count = valuesIn(told);
      // If no failure precedes this line of totals, a test itself has printed it: ignore its counts.
      const failed = findings.size() > 0 ? count("Failures", "Errors") : 0;
      const skipped = count("Skipped");
      findings.count({ passed: count("Tests run") - failed - skipped, failed, skipped });
    } else if (mavenNone.test(line)) findings.count({});
  };
  return {
    read: (line) => {
      if (line.includes("ests ")) readTotal(line);
      if (line.includes("<<< ") && failure.test(line)) {
        const opened = testOf(line.startsWith(level) ? line.slice(level.length) : line);
        if (opened !== undefined) {
          close();
          test = opened;
        }
        return;
      }
      if (line.charCodeAt(0) === 0x5b && (line.startsWith(level) || line.startsWith("[INFO]"))) {
        close();
        return;
      }
      test?.failure.read(line);
    },
    end: () => {
      close();
      return findings.end();
    },
  };
}

/** Read the first line of a failed test; undefined for the totals of a class. */
function testOf(line: string): MavenTest | undefined {
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
  // If the line names no method, the set-up of the class failed.
  if (method === undefined || owner === undefined) return { id: head, failure: readJavaFailure(head) };
  return { id: `${owner}.${method}`, failure: readJavaFailure(owner) };
}

/** Gradle's tests: `com.example.CalcTest > adds FAILED` with an exception below it. */
export const gradle: ToolReader = { tool: "gradle", kind: "tests", open: openGradle };

const failed = " FAILED";
const logged = /^\S.{0,500} > .{1,500} (PASSED|SKIPPED)$/;
const completed = /^(\d{1,9}) tests? completed, (.{1,200})$/;
const built = /^BUILD (?:SUCCESSFUL|FAILED) in \d/;

interface GradleTest {
  readonly id: string;
  readonly failure: SaidReader;
  hasException: boolean;
}

function openGradle(): LineReader {
  const findings = listFindings();
  const logging = { passed: 0, skipped: 0 };
  let test: GradleTest | null = null;
  let isBuilt = false;
  let isSummed = false;
  const close = (): void => {
    // Without an exception below, the line may be output of a program.
    if (test?.hasException) {
      findings.add({ id: test.id, ...test.failure.end() });
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
      if (line.endsWith(failed) && line.includes(" > ")) {
        const id = line.slice(0, -failed.length);
        test = { id, failure: readJavaFailure(id.slice(0, id.indexOf(" > "))), hasException: false };
      } else if (first >= 0x30 && first <= 0x39 && line.includes(" completed, ")) {
        const [, all, told = ""] = completed.exec(line) ?? [];
        if (all === undefined) return;
        const count = numbersIn(told);
        const [failed, skipped] = [count("failed"), count("skipped")];
        findings.count({ passed: Number(all) - failed - skipped, failed, skipped });
        isSummed = true;
      } else {
        isBuilt ||= built.test(line);
        const [, outcome] = line.includes(" > ") ? (logged.exec(line) ?? []) : [];
        if (outcome !== undefined) logging[outcome === "PASSED" ? "passed" : "skipped"] += 1;
      }
    },
    end: () => {
      close();
      if (isBuilt && !isSummed && logging.passed + logging.skipped > 0)
        findings.count({ ...logging, failed: findings.size() });
      return findings.end();
    },
  };
}
