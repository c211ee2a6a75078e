import { describe, expect, it } from "vitest";
import { InputError } from "../../../src/model/errors.ts";
import { reportOutside } from "../../../src/wording/report/report-text.ts";

describe("reportOutside", () => {
  it("names the path as requested, and says what to do instead", () => {
    const error = reportOutside("../reports/stuck.md");
    expect(error).toBeInstanceOf(InputError);
    expect(error).toMatchObject({
      code: "report-outside",
      message:
        "Cannot write the stuck report to `../reports/stuck.md`, expected a file inside the workspace, outside of .git and .fixpoint",
      hint: "Name a path of the workspace, as in `reports/stuck-report.md`.",
    });
  });
});
