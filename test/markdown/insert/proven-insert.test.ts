import { describe, expect, it } from "vitest";
import { findTask } from "../../../src/markdown/document/find-task.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { placeBehind } from "../../../src/markdown/insert/insert-place.ts";
import { provenInsert } from "../../../src/markdown/insert/prove-insert.ts";

const task = { id: "1.9", markers: [], title: "New", fields: {}, lines: ["- [ ] 1.9 New"] };

describe("provenInsert", () => {
  it.each(["\n", "\r\n", "\r"])("ends lines with %j where the document does", (ending) => {
    const document = openPlan(["# Plan", "- [ ] 1.1 One", "- [ ] 1.2 Two", ""].join(ending));
    const found = provenInsert(document, placeBehind(document, findTask(document, "1.1")), [task]);
    expect(found?.after.text).toBe(["# Plan", "- [ ] 1.1 One", "- [ ] 1.9 New", "- [ ] 1.2 Two", ""].join(ending));
  });

  it("ends lines as most of the document does where its lines end differently", () => {
    const document = openPlan("# Plan\r\n\n- [ ] 1.1 One\n- [ ] 1.2 Two\n");
    const found = provenInsert(document, placeBehind(document, findTask(document, "1.1")), [task]);
    expect(found?.text).toBe("\n- [ ] 1.9 New");
  });
});
