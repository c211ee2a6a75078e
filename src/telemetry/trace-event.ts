import type { RunEvent } from "../model/event.ts";
import { names } from "./names.ts";
import type { TelemetryAttributes } from "./telemetry-like.ts";

/**
 * Choose the attributes of a task event within a turn, without foreign text; null for events that are traced in another
 * way.
 */
export function traceEvent(event: RunEvent): TelemetryAttributes | null {
  switch (event.type) {
    case "task.passed":
      return { [names.task]: event.task, "fixpoint.proof": event.proof.kind };
    case "task.failed":
      return { [names.task]: event.task, "fixpoint.failure": event.failure.kind };
    case "task.rejected":
      return { [names.task]: event.task, "fixpoint.layer": event.layer };
    case "task.decided":
      return { [names.task]: event.task, "fixpoint.decision": event.decision, [names.level]: event.level };
    case "fix.inserted":
      return { [names.task]: event.task, "fixpoint.fix": event.fix };
    case "plan.changed":
      return { [names.task]: event.task, "fixpoint.change": event.change, "fixpoint.added": event.added };
    case "person.asked":
      return { [names.task]: event.task, "fixpoint.about": event.about };
    case "waiting":
      return { [names.task]: event.task, "fixpoint.reason": event.reason };
    // All other events are traced as spans, belong to no task, or contain foreign text.
    default:
      return null;
  }
}
