import { describe, expect, it } from "vitest";
import { appendToSection } from "../../../src/markdown/progress/append-item.ts";

describe("an item added to a section", () => {
  it("is indented only where the very next line is", () => {
    const first = "## Next\na";
    expect(appendToSection(`${first}\n\n  <!--\n`, "Next", "b")).toBe(`${first}\n\n   - b\n\n  <!--\n`);
    expect(appendToSection(`${first}\n\n<!--\n  x\n`, "Next", "b")).toBe(`${first}\n\n- b\n\n<!--\n  x\n`);
  });
});
