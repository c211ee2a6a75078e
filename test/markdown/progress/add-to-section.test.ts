import { describe, expect, it } from "vitest";
import { appendLine } from "../../support/append-line.ts";

describe("an item added to a section", () => {
  it("is indented only if the very next line is", () => {
    const first = "## Next\na";
    expect(appendLine(`${first}\n\n  <!--\n`, "Next", "b")).toBe(`${first}\n\n   - b\n\n  <!--\n`);
    expect(appendLine(`${first}\n\n<!--\n  x\n`, "Next", "b")).toBe(`${first}\n\n- b\n\n<!--\n  x\n`);
  });
});
