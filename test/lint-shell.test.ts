import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe } from "vitest";
import { alwaysPasses } from "../src/markdown/lint/always-passes.ts";
import { prop } from "./support/prop.ts";

const commands = [
  "true",
  "false",
  ":",
  "echo a",
  'echo "$(false)"',
  "exit 0",
  "exit 3",
  "exit",
  "set -e",
  "test -f /nowhere",
  "cat < /nowhere",
  "cat /nowhere",
  "cat",
  "head -1",
  "wc -l 2>&1",
  "(exit 2)",
  "! true",
  "! false",
  "a=$(false)",
  "echo a > /nowhere/b",
  "trap 'exit 4' EXIT",
  "# nothing\n",
  "cd /nowhere",
  "printf b",
  "printf %d c",
  `: $\{nowhere:?}`,
];
const joints = [" && ", " || ", " | ", "; ", "\n", " &&\n", " & "];
const scripts = fc
  .array(fc.tuple(fc.constantFrom(...commands), fc.constantFrom(...joints)), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.map((part, index) => (index === parts.length - 1 ? part[0] : part.join(""))).join(""));

describe("alwaysPasses, for every script that it names", () => {
  prop("is confirmed by the shell", [scripts.filter((script) => alwaysPasses(script) !== null)], (script) => {
    const { status } = spawnSync("sh", ["-c", script], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"] },
    });
    return status === 0;
  });
});
