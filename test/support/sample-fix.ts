import type { FixTask } from "../../src/model/fix-task.ts";

/** A fix task of a task without Files and Verify. */
export const sampleFix: FixTask = {
  id: "1.3.1",
  fixOf: "1.3",
  summary: "File not found: src/parser.ts",
  error: "File not found: src/parser.ts",
  attemptedFix: "Checked alternate paths",
  files: ".",
  verify: "echo 'Verify manually'",
  commit: "fix(recovery): address missing file from task 1.3",
};
