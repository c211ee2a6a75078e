import { describe, expect, it } from "vitest";
import { toJsonSchema } from "../../src/model/to-json-schema.ts";

describe("toJsonSchema", () => {
  it("describes a policy as a person writes it: every field optional, none unknown", () => {
    expect(toJsonSchema("policy")).toMatchObject({
      type: "object",
      additionalProperties: false,
      properties: { maxFixTasksPerOriginal: { type: "integer", minimum: 0, default: 4 } },
    });
    expect(toJsonSchema("policy")).not.toHaveProperty("required");
  });

  it("describes a state file, which may hold more", () => {
    expect(toJsonSchema("state")).toMatchObject({
      properties: { taskIndex: { type: "integer", default: 0 }, fixTaskMap: { type: "object" } },
    });
    expect(toJsonSchema("state")).not.toHaveProperty("additionalProperties", false);
  });
});
