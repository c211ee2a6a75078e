import { deepEqual, equal } from "node:assert/strict";
import type { OpenDocuments } from "../../src/testing/documents-contract.ts";
import type { Contract } from "../../src/testing/host.ts";
import { fix, idsOf, newTask, plan, split } from "../../src/testing/sample-documents.ts";

export const ownDocuments: readonly Contract<OpenDocuments>[] = [
  {
    name: "inserts the parts of a split task unchanged, and changes no other character",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.change(split);
      deepEqual(await idsOf(subject), ["1.1 done", "1.1.2", "1.1.3", "1.2"]);
      const after = await subject.text("tasks.md");
      const [first = "", second = ""] = plan.replace("[ ] 1.1", "[x] 1.1").split("\n\n- [ ] 1.2");
      equal(after.startsWith(`${first}\n\n- [ ] 1.1.2 Länge lesen\n  - **Do**: Größe teilen\n`), true);
      equal(after.endsWith(`\n  - **Commit**: \`feat: size\`\n\n- [ ] 1.2${second}`), true);
    },
  },
  {
    name: "completes a change of which a part is missing",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.change(split);
      const text = await subject.text("tasks.md");
      await subject.overwrite("tasks.md", text.replace("[x] 1.1", "[ ] 1.1"));
      await subject.documents.change(split);
      equal(await subject.text("tasks.md"), text);
    },
  },
  {
    name: "inserts prerequisites before a task, and follow-ups after its fixes",
    run: async (open) => {
      const subject = await open(plan, "");
      await subject.documents.insert(fix);
      await subject.documents.change({ task: "1.1", place: "before", tasks: [newTask("1.0", "Maßband holen")] });
      await subject.documents.change({ task: "1.1", place: "behind", tasks: [newTask("1.1.2", "Aufräumen")] });
      deepEqual(await idsOf(subject), ["1.0", "1.1", "1.1.1", "1.1.2", "1.2"]);
    },
  },
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
    name: "merges a log again without a duplicate if its removal was lost",
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
    name: "logs suggestions of a reviewer, and the result of a reality check in place of an earlier one",
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
  {
    name: "creates a summary of repairs, and writes a line once",
    run: async (open) => {
      const subject = await open("", "");
      const { documents } = subject;
      equal(await subject.text("SUMMARY.md"), "");
      for (let times = 0; times < 2; times += 1) {
        await documents.summarize({ kind: "retried", task: "1.1", adjustment: "Größe angeben" });
        await documents.summarize({ kind: "skipped", task: "1.2", justification: "Länge fehlt", by: "operator" });
      }
      const skipped = "- [Node Repair - PRUNE] Task 1.2 skipped: Länge fehlt";
      deepEqual((await subject.text("SUMMARY.md")).split("\n"), [
        "# Summary",
        "",
        "## Deviations from Plan",
        "- [Node Repair - RETRY] Task 1.1: Größe angeben - resolved",
        skipped,
        "",
        "## Issues Encountered",
        skipped,
        "",
      ]);
    },
  },
];
