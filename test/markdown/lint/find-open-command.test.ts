import { describe, expect, it } from "vitest";
import { readPlan } from "../../../src/markdown/document/plan-document.ts";

const ruleOf = (...lines: readonly string[]): string[] =>
  readPlan(lines.join("\n"))
    .problems.filter(({ severity }) => severity === "error")
    .map(({ rule, line }) => `${line} ${rule}`);
const create = "  - **Do**: `gh pr create --body \"$(cat <<'EOF'";
const body = ["## Test Plan", "- [ ] CI passes", "EOF", ')"`', "  - **Verify**: `true`"];

describe("findOpenCommands", () => {
  it.each([
    ["code that a heading ends", ["- [ ] 1.1 Create", create, ...body]],
    ["a here-document that a heading ends", ["- [ ] 1.1 Create", create.replace("`", ""), ...body]],
    [
      "such code in a list of steps",
      ["- [ ] 1.1 Create", "  - **Do**:", "    1. `git push`", `    2. ${create.slice(12)}`, ...body],
    ],
    ["a fence", ["- [ ] 1.1 Create", "  - **Do**:", "    ```sh", "    cat > a <<EOF", "# A", "EOF", "```"]],
    ["a substitution", ["- [ ] 1.1 Create", "  - **Verify**: ``test `cat a` = $(cat", "# A", ")``"]],
  ])("refuses %s", (_, lines) => {
    expect(ruleOf(...lines)).toContain("1 open-command");
  });

  it.each([
    ["done tasks", ["- [x] 1.1 Create", create, ...body]],
    ["code that ends", ["- [ ] 1.1 Create", "  - **Do**: `echo \"$(cat <<'EOF' … EOF)\"`, then ``a ` b`` and $(x)"]],
    [
      "here-documents that end",
      ["- [ ] 1.1 Create", "  - **Do**:", "    ```sh", "    cat <<-EOF", "    a", "    EOF", "    ```"],
    ],
    ["the name of one", ["- [ ] 1.1 Create", "  - **Do**: Replace the `cat <<EOF` block, and more"]],
    ["a mark alone", ["- [ ] 1.1 Create", "  - **Do**: Run $(x) first, then quote by ` alone"]],
  ])("accepts %s", (_, lines) => {
    expect(ruleOf(...lines)).not.toContain("1 open-command");
  });
});
