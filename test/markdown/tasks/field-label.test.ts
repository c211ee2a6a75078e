import { describe, expect, it } from "vitest";
import { readLabel } from "../../../src/markdown/tasks/read-fields.ts";

describe("readLabel", () => {
  it.each([
    ["**Verify**: `npm test`", "verify", 11],
    ["**Done when:** it prints", "doneWhen", 14],
    ["**Done when **: it prints", "doneWhen", 15],
    ["__FILES__: src/log.ts", "files", 10],
    ["_Requirements: 1.1_", null, 14],
    ["**Notes**: none", null, 10],
  ])("finds at the start of %j the field %s, %i characters long", (text, key, length) => {
    expect(readLabel(text)).toEqual({ key, length });
  });

  it.each(["Verify: `npm test`", "**Important**: read this", "First **Do**: it", ""])("finds none in %j", (text) => {
    expect(readLabel(text)).toBeNull();
  });
});
