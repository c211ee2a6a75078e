import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptKey, attemptOf, taskOf } from "../../src/model/reply.ts";
import { prop } from "../support/prop.ts";

describe("attemptKey", () => {
  it("names a task and an attempt", () => {
    expect(attemptKey("1.3", 2)).toBe("1.3#2");
  });
});

describe("attemptOf", () => {
  prop(
    "is the attempt of an effect's key, whatever the id",
    [fc.string(), fc.nat(), fc.stringMatching(/^[a-zA-Z]+$/)],
    (id, n, name) => {
      expect(attemptOf(`${attemptKey(id, n)}/${name}`)).toBe(attemptKey(id, n));
    },
  );

  it("is what stands before the last slash", () => {
    expect(attemptOf("1.3#2/verify")).toBe("1.3#2");
  });
});

describe("taskOf", () => {
  it("is the task of an attempt and of an effect's key", () => {
    expect(taskOf("1.3#2")).toBe("1.3");
    expect(taskOf("1.3#2/verify")).toBe("1.3");
  });
});
