import { planOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const flags = [
  "--escalation",
  "--max-pivot-attempts",
  "0",
  "--max-research-attempts",
  "0",
  "--max-task-iterations",
  "2",
];
const guided = `case $(cat) in *'under the mat'*) ;; *) fails "no key $attempt" ;; esac\nmade`;
const hopeless = `[ $id = 1.1 ] && fails "no key $attempt" "way $attempt"\nmade`;

export const checkpoints: readonly Scenario[] = [
  {
    name: "checkpoint: said again until it is answered",
    plan: planOf("1.1 Is stuck"),
    executor: hopeless,
    flags,
    starts: [{ exitCode: 3 }, { exitCode: 3 }],
  },
  {
    name: "checkpoint: guidance",
    plan: planOf("1.1 Is stuck"),
    executor: guided,
    flags,
    starts: [{ exitCode: 3 }, { words: ["resume", "--guidance", "It lies under the mat"], exitCode: 0 }],
  },
  {
    name: "checkpoint: guidance that does not help",
    plan: planOf("1.1 Is stuck"),
    executor: hopeless,
    flags: [...flags, "--max-task-iterations", "1"],
    starts: [{ exitCode: 3 }, { words: ["resume", "--guidance", "Look again"], once: true, exitCode: 3 }],
  },
  {
    name: "checkpoint: resumed without guidance",
    plan: planOf("1.1 Is stuck"),
    executor: 'has mended || fails "no key $attempt"\nmade',
    flags,
    starts: [{ exitCode: 3 }, { words: ["resume"], exitCode: 0, files: { "work/mended": "" } }],
  },
  {
    name: "checkpoint: done by hand",
    plan: planOf("1.1 Is stuck", "1.2 Works"),
    executor: hopeless,
    flags,
    starts: [{ exitCode: 3 }, { exitCode: 0, edits: [["[ ] 1.1 ", "[x] 1.1 "]] }],
  },
  {
    name: "checkpoint: a report elsewhere",
    plan: planOf("1.1 Is stuck"),
    executor: guided,
    flags: [...flags, "--stuck-report", "reports/stuck.md"],
    starts: [{ exitCode: 3 }, { words: ["resume", "--guidance", "It lies under the mat"], exitCode: 0 }],
  },
  {
    name: "checkpoint: in a batch",
    plan: planOf("1.1 [P] Is stuck", "1.2 [P] Works"),
    executor: hopeless,
    flags,
    width: 2,
    starts: [{ exitCode: 3 }, { exitCode: 0, edits: [["[ ] 1.1 ", "[x] 1.1 "]] }],
  },
];
