import { commandLine, type SpecAddress } from "../model/command-line.ts";
import type { Question } from "../model/person-event.ts";
import type { TaskId } from "../model/task.ts";
import { countOf } from "../model/text.ts";

/** Checks that are named in a question. */
const mostNamed = 8;

/** The question about checks that were red before the run, and that have nothing to do with a task, or with the plan (null). */
export function tellKnownFailures(task: TaskId | null, checks: readonly string[], address: SpecAddress): Question {
  const more = checks.length - mostNamed;
  return {
    kind: "gate",
    reason: [
      `${task === null ? "The plan" : `Task ${task}`} is done but for what failed before the run: ${countOf(checks.length, "check", "checks")} that it has nothing to do with`,
      ...checks.slice(0, mostNamed).map((check) => `  ${check}`),
      ...(more > 0 ? [`  and ${more} more`] : []),
    ].join("\n"),
    hint: [
      `Go on, and list them at the end: ${commandLine(address, "run", { options: ["--known-failures", "ignore"] })}`,
      `Have them repaired as well: ${commandLine(address, "run", { options: ["--known-failures", "repair"] })}`,
    ].join("\n"),
  };
}
