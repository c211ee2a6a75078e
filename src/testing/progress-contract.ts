import { deepEqual, equal } from "node:assert/strict";
import type { Contract } from "./contract.ts";
import type { OpenDocuments } from "./documents-subject.ts";
import { plan } from "./sample-documents.ts";

/** How every store keeps the progress log. */
export const progressContract: readonly Contract<OpenDocuments>[] = [
  {
    name: "adds lines to the progress log, once, and only inserts",
    run: async (open) => {
      const log = "# Progress\n\n## Learnings\n- Größe zählt\n";
      const subject = await open(plan, log);
      const completed = { kind: "completed", task: "1.1", title: "Größe lesen", commit: "abc1234" } as const;
      await subject.documents.append(completed);
      await subject.documents.append({ kind: "fixes", task: "1.1", fixes: ["1.1.1"], superseded: [], final: "PASS" });
      const after = await subject.text(".progress.md");
      await subject.documents.append(completed);
      equal(await subject.text(".progress.md"), after);
      equal(await subject.documents.progress(), after);
      for (const line of ["- [x] 1.1 Größe lesen - abc1234", "- Task 1.1: 1 fix attempted (1.1.1) - Final: PASS"]) {
        equal(after.split("\n").filter((found) => found === line).length, 1);
      }
    },
  },
  {
    name: "takes over the logs of a batch in the order it is told, once, and removes them",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n\n## Learnings\n- Größe zählt\n");
      const { documents } = subject;
      await subject.writeMemberLog("1.1", "- From the first\n");
      await subject.writeMemberLog("1.2/../x", "## Learnings\n- From the second\n");
      equal(await documents.progress("1.1"), "- From the first\n");
      equal(await documents.progress("1.2/../x"), "## Learnings\n- From the second\n");
      await documents.merge(["1.2/../x", "1.1", "1.9"]);
      const after = await subject.text(".progress.md");
      equal(after, "# Progress\n\n## Learnings\n- Größe zählt\n- From the second\n- From the first\n");
      deepEqual([await documents.progress("1.1"), await documents.progress("1.2/../x")], ["", ""]);
      await documents.merge(["1.2/../x", "1.1", "1.9"]);
      equal(await subject.text(".progress.md"), after);
      equal(await documents.progress(), after);
    },
  },
  {
    name: "takes over a log again whose removal was missed",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n");
      for (const log of ["- From the first\n", "- From the first\n"]) {
        await subject.writeMemberLog("1.1", log);
        await subject.documents.merge(["1.1"]);
      }
      equal(await subject.text(".progress.md"), "# Progress\n\n## Learnings\n- From the first\n");
    },
  },
  {
    name: "writes down what a reviewer suggests, and the result of a reality check in place of an earlier one",
    run: async (open) => {
      const subject = await open(plan, "# Progress\n\n## Reality Check (BEFORE)\n\nBroken: `npm test`\n");
      const { documents } = subject;
      const reality = {
        kind: "reality",
        task: "1.2",
        command: "npm test",
        exitCode: 1,
        output: "Größe fehlt",
      } as const;
      await documents.append(reality);
      await documents.append({ ...reality, exitCode: 0, output: "Größe stimmt" });
      for (let times = 0; times < 2; times += 1) {
        await documents.append({ kind: "suggestion", task: "1.1", text: "Größe benennen" });
      }
      const after = await subject.text(".progress.md");
      const count = (part: string): number => after.split(part).length - 1;
      deepEqual([count("Reality Check (AFTER)"), count("Größe stimmt"), count("Größe fehlt")], [1, 1, 0]);
      equal(count("Größe benennen"), 1);
    },
  },
];
