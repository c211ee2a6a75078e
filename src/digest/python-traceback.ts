/** Where and why a Python program has stopped. */
interface PythonError {
  readonly file: string | null;
  readonly line: number | null;
  readonly message: string | null;
}

/** Reads the traceback of an exception; of a chain of them the last. */
export interface TracebackReader {
  readonly read: (line: string) => void;
  readonly end: () => PythonError;
}

/** @param name The function whose line is told; that of the last call without one, or when it is not called. */
export function readTraceback(name: string | null): TracebackReader {
  let error: PythonError = { file: null, line: null, message: null };
  let isNamed = false;
  let isOpen = false;
  return {
    read: (line) => {
      if (line === "Traceback (most recent call last):") {
        error = { file: null, line: null, message: null };
        isNamed = false;
        isOpen = true;
        return;
      }
      if (!isOpen || line === "") return;
      if (!line.startsWith(" ")) {
        error = { ...error, message: withoutAssertion(line) };
        isOpen = false;
        return;
      }
      const [, file, at, called] = frame.exec(line) ?? [];
      if (file === undefined || isNamed) return;
      isNamed = name !== null && called === name;
      error = { ...error, file, line: Number(at) };
    },
    end: () => error,
  };
}

const frame = /^ {2}File "([^"]{1,500})", line (\d{1,9})(?:, in (\S{1,200}))?/;

/** What an exception says; that an assertion did not hold is known of a failed test. */
export const withoutAssertion = (text: string): string =>
  text.startsWith(assertion) && text.length > assertion.length ? text.slice(assertion.length) : text;

const assertion = "AssertionError: ";
