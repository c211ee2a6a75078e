import { readVerify } from "../../src/markdown/tasks/read-verify.ts";
import type { RunEnding } from "../../src/model/event.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { TimedRunRecord } from "../../src/model/record.ts";
import { attemptOf, taskOf } from "../../src/model/reply.ts";
import type { TaskId } from "../../src/model/task.ts";
import type { Processes } from "./processes.ts";
import { type Check, isProgram } from "./simulated-shell.ts";
import type { World } from "./world.ts";

export interface PassWatch {
  see(record: TimedRunRecord): void;
  byHand(before: Plan, after: Plan, wasKilled: boolean): void;
  end(outcome: RunEnding): void;
}

export function watchPasses(world: World, processes: Processes, checks: readonly Check[], begun: Plan): PassWatch {
  const standing = tickedIn(begun);
  const accepted = new Set<string>();
  const shown = new Set<TaskId>();
  return {
    see: (record) => {
      if (record.type === "planned" && record.plan.tick === true) standing.add(record.plan.task);
      if (record.type === "closed") standing.add(record.fix);
      if (record.type === "reached") for (const task of record.tasks) standing.add(task);
      if (record.type === "mended") for (const { key } of record.passes) standing.add(taskOf(key));
      if (record.type !== "answered") return;
      const { effect, answer } = record;
      const attempt = attemptOf(record.key);
      if (effect === "verify" && answer.kind === "accepted") accepted.add(attempt);
      // The answer `done` means that nothing was delegated: Verify failed earlier and passes now.
      if (effect === "delegate" && answer.kind === "done") shown.add(taskOf(record.key));
      if (effect !== "recordPass") return;
      seePass(attempt);
      if (answer.open !== true) standing.add(taskOf(record.key));
    },
    byHand: (before, after, wasKilled) => {
      const [was, is] = [tickedIn(before), tickedIn(after)];
      // Two tasks may have the same id, one ticked and one open.
      for (const { id } of after.tasks) {
        if (is.has(id) && !was.has(id)) standing.add(id);
        if (!is.has(id) && !wasKilled) standing.delete(id);
      }
    },
    end: (outcome) => {
      // A start with these outcomes may have written a tick without a record.
      if (["environment", "interrupted"].includes(outcome))
        for (const attempt of accepted) standing.add(taskOf(attempt));
      for (const task of shown) standing.add(task);
      const { tasks } = world.plan();
      const foreign = tasks.filter(({ id, done }) => done && !standing.has(id)).map(({ id }) => id);
      if (foreign.length > 0) world.violate("I11", `nobody has accepted the ticks of ${foreign.join(", ")}`);
      if (outcome !== "complete") return;
      const open = tasks.filter(({ done }) => !done).map(({ id }) => id);
      if (open.length > 0 || tasks.length === 0) {
        world.violate("I10", `the run is complete, though it has open tasks or none: ${open.join(", ") || "no task"}`);
      }
      if (world.policy.finalVerify !== null && !world.truths.holds(world.policy.finalVerify)) {
        world.violate("I10", `the run is complete, though \`${world.policy.finalVerify}\` fails`);
      }
    },
  };

  function seePass(attempt: string): void {
    if (!accepted.has(attempt) && !shown.has(taskOf(attempt)))
      world.violate("I10", `${attempt} has passed without a verdict`);
    const task = world.plan().tasks.find(({ id }) => id === taskOf(attempt));
    const verify = readVerify(task?.fields.verify);
    if (world.policy.trustExecutor || verify.kind !== "command") return;
    const { command, word } = verify;
    if (word !== null && !isProgram(word)) return;
    const endedAt = processes.endedAt(attempt) ?? 0;
    // A fix may pass although Verify fails, if another error has replaced the repaired error.
    const isGood = ({ exitCode }: Check): boolean => exitCode === 0 || (task?.fixOf ?? null) !== null;
    const isSeen = checks.some((check) => check.command === command && isGood(check) && check.at > endedAt);
    if (!isSeen)
      world.violate("I10", `${attempt} has passed, though \`${command}\` has not passed since its executor ended`);
  }
}

const tickedIn = ({ tasks }: Plan): Set<TaskId> => new Set(tasks.filter(({ done }) => done).map(({ id }) => id));
