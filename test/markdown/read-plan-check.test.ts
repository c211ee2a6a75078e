import { expect, it } from "vitest";
import { readPlanCheck } from "../../src/markdown/read-plan-check.ts";

const below = (text: string): string | null =>
  readPlanCheck(`# Plan\n\n## Validation Commands\n\n${text}\n### Task 1: A\n\n- \`rm a\`\n- [ ] Write\n`);

it.each([
  ["- `npm test`\n- `make -C b` (build)\n- Look at it\n", "npm test && make -C b"],
  ["```bash\n# All tests\ngo test ./...\n\nmake build\n```\n", "go test ./... && make build"],
  ["```\nnpm test\n```\n- `npm run lint`\n", "npm test && npm run lint"],
  ["- `cd a && b`\n- `c || exit 1`\n", "(cd a && b) && (c || exit 1)"],
  ["```\ncd a\nnpm test\n```\n", "cd a && npm test"],
  ["- `cd a && b || c`\n", "cd a && b || c"],
  ["Run the tests.\n", null],
  ["```bash\nfor a in b; do\n  c\ndone\n```\n", null],
  ["```bash\nnpm test \\\n  -- a\n```\n", null],
  ["```ts\nrun();\n```\n", null],
  ["- `go test ./<package>`\n", null],
])("reads from %j the check of a plan: %s", (text, command) => {
  expect(below(text)).toBe(command);
});

it("reads commands at the end of a plan", () => {
  expect(readPlanCheck("- [ ] 1.1 A\n\n### Verification command\n\n- `true`\n")).toBe("true");
});

it("finds no check in a plan without commands", () => {
  expect(readPlanCheck("# Plan\n\n- [ ] 1.1 A\n")).toBeNull();
});
