import { describe, expect, it } from "vitest";
import { renderVerify } from "../../../src/markdown/insert/render-task.ts";

describe("renderVerify", () => {
  it.each([
    ["a bare command", "npm test -- parser", ["npm test -- parser"]],
    ["text with marks and code", "Look *by hand* that `npm start` works", ["Look *by hand* that `npm start` works"]],
  ])("leaves %s as it is", (_, value, written) => {
    expect(renderVerify(value, "-")).toEqual(written);
  });

  it.each([
    ["a command that cannot stay as it is", "grep -c 'a  b' out.txt", ["", "- grep -c 'a b' out.txt"]],
    ["several lines", "# With `npm start`\n1. Look at the page", ["", "- \\# With `npm start`", "- Look at the page"]],
    ["a line with a box", "1. Tick [x] when `npm test` passes", ["1. Tick \\[x\\] when `npm test` passes"]],
  ])("makes %s text that runs nothing", (_, value, written) => {
    expect(renderVerify(value, "-")).toEqual(written);
  });

  it("keeps the first hundred of several lines", () => {
    const steps = Array.from({ length: 120 }, (_, index) => `Look at page ${index + 1}`);
    expect(renderVerify(steps.join("\n"), "*")).toEqual(["", ...steps.slice(0, 100).map((step) => `* ${step}`)]);
  });
});
