import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Contract } from "./contract.ts";
import type { OpenDocuments } from "./documents-subject.ts";

/** What every store does with the summary of a spec and the report of a checkpoint. */
export const reportContract: readonly Contract<OpenDocuments>[] = [
  {
    name: "makes a summary of what was repaired, and writes a line once",
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
  {
    name: "writes a report over the one before, and says where",
    run: async (open) => {
      const { documents, reportAt } = await open("", "");
      for (const path of [null, "reports/für mich/stuck.md"]) {
        const told = await documents.report("# Größe: Stuck Report\n", path);
        equal(await documents.report("# Länge: Stuck Report\n", path), told);
        equal(await reportAt(told), "# Länge: Stuck Report\n");
      }
      equal(await documents.report("# Größe: Stuck Report\n", "reports/stuck.md"), "reports/stuck.md");
    },
  },
  {
    name: "writes no report outside the workspace, nor into what is git's or a run's own",
    run: async (open) => {
      const { documents } = await open("", "");
      const outside = ["..", ".", "../stuck.md", "a/../../stuck.md", "/stuck.md", "stuck.md\0"];
      const guarded = [".git", ".git/config", "a/.GIT/stuck.md", ".fixpoint/stuck.md", "a/../.fixpoint/run-1/stuck.md"];
      for (const path of [...outside, ...guarded]) {
        await rejects(documents.report("# Größe: Stuck Report\n", path), {
          name: "InputError",
          code: "report-outside",
        });
      }
    },
  },
];
