import { batches } from "./batches.ts";
import { changes } from "./changes.ts";
import { checkpoints } from "./checkpoint.ts";
import { commits } from "./commit.ts";
import { demo } from "./demo.ts";
import { escalations } from "./escalation.ts";
import { executors } from "./executors.ts";
import { fixes } from "./fixes.ts";
import { lifecycle } from "./lifecycle.ts";
import { pullRequests } from "./pull-request.ts";
import { repairs } from "./repair.ts";
import { resumes } from "./resume.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: readonly Scenario[] = [
  ...lifecycle,
  ...fixes,
  ...batches,
  ...changes,
  ...escalations,
  ...checkpoints,
  ...repairs,
  ...resumes,
  ...commits,
  ...executors,
  ...pullRequests,
  demo,
];
