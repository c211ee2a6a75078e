import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/markdown/document/find-task.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { readSibling } from "../../../src/markdown/insert/read-sibling.ts";

describe("readSibling", () => {
  it.each([
    ["- [ ] 1.3 Parse", "1.3", "1.4"],
    ["- [ ] **1.3** Parse", "1.3", "**1.4**"],
    ["- [ ] __1.3:__ Parse", "1.3", "__1.4:__"],
    ["- [ ] 1.3. Parse", "1.3", "1.4."],
    ["- [ ] 1. Parse", "1", "1.4"],
    ["- [ ] **1. Parse**", "1", "1.4"],
    ["- [ ] __1: Parse__", "1", "1.4"],
    ["- [ ] __1.3. Parse__", "1.3", "1.4"],
  ])("of a task written %j with the id %s has another id written %j", (line, id, written) => {
    const document = openPlan(`${line}\n`);
    expect(readSibling(document, findTask(document, id)).style.writeId("1.4")).toBe(written);
  });
});
