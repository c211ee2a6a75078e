/** Why a test on the Java virtual machine failed. */
interface JavaFailure {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
  readonly expected?: string;
  readonly actual?: string;
}

/** Reads an exception with its stack. */
export interface JavaFailureReader {
  readonly read: (line: string) => void;
  readonly end: () => JavaFailure;
}

const frame = /^\s{0,20}at ([\w.$/@-]{1,500})\(([\w$-]{1,200}\.\w{1,10}):(\d{1,9})\)/;
/** Gradle's short form: `java.lang.AssertionError at CalcTest.java:12`. */
const short = /^([\w.$]{1,300}) at ([\w$-]{1,200}\.\w{1,10}):(\d{1,9})$/;
const assertion =
  /^(?:java\.lang\.AssertionError|org\.opentest4j\.AssertionFailedError|junit\.framework\.AssertionFailedError|(?:org\.junit|junit\.framework)\.ComparisonFailure): ?/;

/** @param owner The class of the test: the line that is told is the first one in it. */
export function readJavaFailure(owner: string): JavaFailureReader {
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

/** `expected:<3> but was:<-1>`, from JUnit 5 on with blanks before the values. */
function sidesOf(message: string): Pick<JavaFailure, "expected" | "actual"> {
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
