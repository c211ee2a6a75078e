import * as z from "zod";
import { Claim } from "./claim.ts";
import { DeniedAct } from "./permissions.ts";
import { ServiceProblem } from "./service-problem.ts";

/** What a delegation used, as far as the executor says. */
export const Usage = z.object({
  inputTokens: z.int().min(0).optional(),
  outputTokens: z.int().min(0).optional(),
  costUsd: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * How an executor ended: by itself, or stopped by a time limit, for silence or because it only waited, by the output cap
 * or by a signal;
 * `spawn`: it could not be started at all.
 */
export const Ending = z.enum(["exit", "timeout", "idle", "flood", "signal", "spawn"]);
export type Ending = z.infer<typeof Ending>;

/** What an executor answers. */
export const Reply = z.object({
  text: z.string(),
  stderr: z.string().optional(),
  exitCode: z.int().optional(),
  ended: Ending.optional(),
  limit: z.number().optional(),
  usage: Usage.optional(),
  problem: ServiceProblem.optional(),
  claim: Claim.optional(),
  denials: z.array(DeniedAct).readonly().optional(),
});
export interface Reply {
  /** Its final message; of a very long one the end. */
  readonly text: string;
  /** The end of what it printed beside that. */
  readonly stderr?: string;
  /** Of the process, 0 when not given. */
  readonly exitCode?: number;
  /** `exit` when not given. */
  readonly ended?: Ending;
  /** The limit that stopped it: of time and of silence in milliseconds, of output in bytes. */
  readonly limit?: number;
  readonly usage?: Usage;
  /** What kept it from working, where it says so in a form made for programs. */
  readonly problem?: ServiceProblem;
  /** What it claims, where it says so in a form made for programs; else that is read from its message. */
  readonly claim?: Claim;
  /** Acts that the tool did not allow its agent. */
  readonly denials?: readonly DeniedAct[];
}

/** How an attempt of one task is named: `<task id>#<attempt>`. */
export type AttemptKey = string;

export const attemptKey = (task: string, attempt: number): AttemptKey => `${task}#${attempt}`;

/** The attempt an effect's key belongs to. */
export const attemptOf = (key: string): AttemptKey => key.slice(0, key.lastIndexOf("/"));

/** The task an attempt or an effect of it belongs to. */
export const taskOf = (key: string): string => key.slice(0, key.lastIndexOf("#"));
