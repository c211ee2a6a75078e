import { readCommandList, type SimpleCommand } from "./read-command-list.ts";

const runners = new Set(
  "pytest py.test jest vitest mocha ava bats rspec phpunit ctest tox nox nextest unittest tap karma".split(" "),
);
const managers = new Set(
  "npm pnpm yarn bun npx bunx uv poetry pipenv hatch bundle python python3 corepack dotenv".split(" "),
);
const tools = new Set("go cargo deno node dotnet mvn gradle gradlew mix swift make flutter dart sbt zig".split(" "));
const testWord = /^(?:test|tests|t|check|--test|test[:-][\w:-]+|unit|integrationTest)$/;
const looking = /^--(?:co|collect-only|no-run|list|listTests|list-tests|dry-run|help|version)$/;

/**
 * Whether a script exits with 0 only if the tests that it runs pass: all its commands must, and one of them is a test
 * run of which nobody reads the output.
 */
export function demandsPassingTests(script: string): boolean {
  const [statement, ...others] = readCommandList(script) ?? [];
  if (statement === undefined || others.length > 0) return false;
  if (statement.some(({ operator, isNegated }) => operator === "||" || isNegated)) return false;
  return statement.some(
    ({ commands: [first, ...piped] }) => piped.length === 0 && isTestRun((first as SimpleCommand).words),
  );
}

function isTestRun([program = "", ...rest]: readonly string[]): boolean {
  if (rest.some((word) => looking.test(word))) return false;
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (runners.has(name)) return true;
  const [first = "", second = ""] = rest.filter((word) => !word.startsWith("-") || word === "--test");
  if (tools.has(name)) return testWord.test(first) && first !== "check";
  if (!managers.has(name)) return false;
  return (
    testWord.test(first) ||
    runners.has(first) ||
    (["run", "exec", "dlx", "x"].includes(first) && (testWord.test(second) || runners.has(second)))
  );
}
