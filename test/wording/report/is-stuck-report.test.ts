import { describe, expect, it } from "vitest";
import { isStuckReport, reportTitle } from "../../../src/wording/report/is-stuck-report.ts";

describe("isStuckReport", () => {
  it.each([`${reportTitle}\n\n**Generated:** now\n`, "# Smart Ralph - Stuck Report\r\n", "\n# Stuck Report"])(
    "takes %j for one",
    (text) => {
      expect(isStuckReport(text)).toBe(true);
    },
  );

  it.each(["", "# Readme\n", "Stuck Report\n", "## Stuck Report\n", `${"x".repeat(300)}\n${reportTitle}\n`])(
    "takes %j for none",
    (text) => {
      expect(isStuckReport(text)).toBe(false);
    },
  );
});
