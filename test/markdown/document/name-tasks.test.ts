import { describe, expect, it } from "vitest";
import { nameTasks } from "../../../src/markdown/document/place-tasks.ts";
import { openPlan } from "../../../src/markdown/document/plan-document.ts";
import { generatedId } from "../../../src/markdown/tasks/read-title.ts";

const namesIn = (text: string) => nameTasks(openPlan(text).chunks);

describe("nameTasks", () => {
  it("names the tasks without an id, in order", () => {
    const names = [generatedId("One"), generatedId("Two"), `${generatedId("One")}b`];
    expect(namesIn("- [ ] One\n- [ ] 1.1 One\n- [ ] Two\n- [ ] One\n")).toEqual(names);
    expect(namesIn("- [ ] 1.1 One\n")).toEqual([]);
  });

  it("gives no id that another task of the plan has", () => {
    const id = generatedId("One");
    expect(namesIn(`- [ ] One\n- [ ] **${id}** Two\n`)).toEqual([`${id}b`]);
    const far = Array.from({ length: 300 }, (_, n) => `- [ ] 1.${n} Task\n`).join("");
    expect(namesIn(`- [ ] One\n${far}- [ ] **${id}** Two\n`)).toEqual([`${id}b`]);
  });
});
