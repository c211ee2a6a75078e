import { relative, resolve } from "node:path";
import { inspect } from "node:util";

/** Prints a test run in a few lines: the counts, then one line for each failed test. */
export default async function* report(events) {
  const failures = [];
  const crashes = new Map();
  let passed = 0;
  for await (const { type, data } of events) {
    if (type === "test:stderr") {
      const error = /^\w*Error\b.*$/m.exec(data.message)?.[0];
      if (error !== undefined) crashes.set(resolve(data.file), error);
    }
    if (type === "test:pass" && !isFile(data)) passed += 1;
    if (type === "test:fail") failures.push(describe(data, crashes));
  }
  yield `${passed} passed, ${failures.length} failed\n`;
  for (const failure of failures) yield `${failure}\n`;
}

/** A file that cannot be loaded is reported like a test with the path as its name; the reason is on its stderr. */
const isFile = ({ name }) => name.endsWith(".test.js");

function describe(data, crashes) {
  const { cause } = data.details.error;
  if (isFile(data)) return `${relative("", data.name)}: ${crashes.get(resolve(data.name)) ?? firstLine(cause)}`;
  if (cause?.code === "ERR_ASSERTION" && cause.operator !== "throws") {
    return `${data.name}: got ${show(cause.actual)}, expected ${show(cause.expected)}`;
  }
  return `${data.name}: ${firstLine(cause)}`;
}

const firstLine = (cause) => String(cause?.message ?? cause).split("\n")[0];

const show = (value) => inspect(value, { breakLength: Number.POSITIVE_INFINITY });
