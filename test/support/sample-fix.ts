import type { FixTask } from "../../src/model/failure.ts";

export const sampleFix: FixTask = {
  id: "1.3.1",
  fixOf: "1.3",
  summary: "File not found: src/parser.ts",
  error: "File not found: src/parser.ts",
  attemptedFix: "Checked alternate paths",
  doneWhen: 'Error "File not found: src/parser.ts" no longer occurs',
  files: ".",
  verify: null,
  commit: "fix(recovery): address missing file from task 1.3",
};
