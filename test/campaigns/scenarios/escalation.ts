import { planOf } from "./plan-of.ts";
import type { Scenario } from "./scenario.ts";

const escalation = ["--escalation", "--max-pivot-attempts", "1", "--max-research-attempts", "1"];
const reading = 'prompt=$(cat)\ntold() { case $prompt in *"$1"*) ;; *) return 1 ;; esac; }\n';

export const escalations: readonly Scenario[] = [
  {
    name: "escalation: one error again and again leads to a pivot",
    plan: planOf("1.1 Needs another approach"),
    executor: `${reading}told 'PIVOT ACTIVATED' || fails 'no door' "way $attempt"\nmade`,
    flags: [...escalation, "--stuck-after-same-errors", "2"],
  },
  {
    name: "escalation: an admission leads to a pivot",
    plan: planOf("1.1 Is at its wits' end"),
    executor: `${reading}told 'PIVOT ACTIVATED' || { echo "I've tried everything I can think of"; fails 'no door'; }\nmade`,
    flags: escalation,
  },
  {
    name: "escalation: a pivot leads to research",
    plan: planOf("1.1 Needs context", "1.2 Works"),
    executor: `${reading}[ $id = 1.1 ] && ! told 'RESEARCH MODE' && { echo "Found: map $attempt"; fails "no map $attempt" "way $attempt"; }\nmade`,
    flags: [...escalation, "--max-task-iterations", "1"],
  },
  {
    name: "escalation: an approach that was named before",
    plan: planOf("1.1 Repeats itself"),
    executor: `${reading}told 'PIVOT ACTIVATED' || { echo 'Trying: the door'; fails "no door of kind $attempt"; }\nmade`,
    flags: [...escalation, "--max-task-iterations", "9"],
  },
  {
    name: "escalation: behind fixes",
    plan: planOf("1.1 Needs more than fixes"),
    executor: `${reading}[ $id = 1.1 ] && ! told 'PIVOT ACTIVATED' && fails "no door $attempt" "way $attempt"\nmade`,
    flags: [...escalation, "--recovery-mode", "--max-fix-tasks", "1"],
  },
  {
    name: "escalation: every remedy but a person",
    plan: planOf("1.1 Needs them all"),
    executor: `${reading}[ $id = 1.1 ] && ! told 'RESEARCH MODE' && fails "no door $attempt" "way $attempt"\nmade`,
    operator: "echo 'RETRY: use the other key'",
    flags: [...escalation, "--recovery-mode", "--repair", "--max-fix-tasks", "1", "--repair-budget", "1"],
  },
];
