import type { Plan } from "./plan.ts";
import type { Reply } from "./reply.ts";
import type { Task } from "./task.ts";

/** What became of a task's own Verify command. */
export type VerifyEvidence =
  | {
      readonly kind: "ran";
      readonly exitCode: number | null;
      readonly timedOut: boolean;
      readonly output: VerifyOutput;
    }
  /** Nothing that can be run stands there; `reason` says what does. */
  | { readonly kind: "unrunnable"; readonly reason: string }
  /** The policy trusts executors. */
  | { readonly kind: "trusted" };

/** The end of what a Verify command printed. */
interface VerifyOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Everything a verdict on one attempt is made from. */
export interface CompletionEvidence {
  readonly task: Pick<Task, "id" | "markers">;
  readonly reply: Reply;
  /** What the final message says; null when it holds no signal. */
  readonly signal: "complete" | "failed" | null;
  /** The phrase with which the final message admits a failure, null without one. */
  readonly contradiction: string | null;
  /** The plan as the coordinator left it: what is ticked there was accepted or ticked before the run. */
  readonly before: Plan;
  /** The plan as the executor left it. */
  readonly after: Plan;
  readonly requireExecutorTick: boolean;
  /** Null until the other layers have accepted. */
  readonly verify: VerifyEvidence | null;
  /** For a fix task: the error it was made for. */
  readonly madeFor: string | null;
}
