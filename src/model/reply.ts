import * as z from "zod";
import { clamp } from "./text.ts";

/** Changes to the plan that an executor may request, in place of its task or in addition. */
export const ChangeType = z.enum(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"]);
export type ChangeType = z.infer<typeof ChangeType>;

const mostTasks = 20;
/** In code points. */
const longestReasoning = 500;

/** A `TASK_MODIFICATION_REQUEST` of an executor. Untrusted. */
export const ModificationRequest = z.object({
  type: ChangeType,
  originalTaskId: z.string().trim().min(1),
  reasoning: z
    .string()
    .default("")
    .overwrite((said) => clamp(said, longestReasoning)),
  /** Markdown of one task each. */
  proposedTasks: z.array(z.string()).min(1).max(mostTasks).readonly(),
});
export interface ModificationRequest {
  readonly type: ChangeType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Markdown of one task each; at least one. */
  readonly proposedTasks: readonly string[];
}

/** Maximum length of each text in a claim, in characters. */
const longest = 16 * 1024;

const text = z.string().overwrite((said) => clamp(said, longest));

/**
 * Structured claim of an executor about its attempt. Untrusted. A structured claim replaces the claim in the reply's
 * text, and is verified in the same way.
 */
export const Claim = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("failed"), error: text, attemptedFix: text.optional(), blocker: text.optional() }),
  z.object({ kind: z.literal("blocked"), question: text.min(1) }),
  /** The plan must change. The task is not done, except with `ADD_FOLLOWUP`. */
  z.object({ kind: z.literal("modify"), request: ModificationRequest }),
]);
export type Claim = z.infer<typeof Claim>;

/**
 * Reasons why an executor cannot work on any task. `rate-limit` and `offline` pass by themselves; `auth` and
 * `permission` need a person; `startup`: the program did not start, for example because it is missing or rejects an
 * option.
 */
export const serviceKinds = ["rate-limit", "offline", "auth", "permission", "startup"] as const;

/** A problem of the executor itself, read from its exit code, stderr or structured result, but never from prose. */
export const ServiceProblem = z.object({
  kind: z.enum([...serviceKinds, "context-exhausted"]),
  /** Message of the executor's program or of its service, one line. */
  message: z.string(),
  /** End of the problem in milliseconds since 1970, if known. */
  until: z.number().optional(),
});
export type ServiceProblem = z.infer<typeof ServiceProblem>;

export const isServiceKind = (kind: unknown): boolean => serviceKinds.some((each) => each === kind);

/**
 * Permissions that a known tool has without asking. `tool`: the permissions in the tool's own settings; `edit`: write
 * files of the workspace, and run only the plan's Verify commands, `git add` and `git commit`; `full`: everything.
 */
export const PermissionLevel = z.enum(["tool", "edit", "full"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** An act that a tool denied its agent. */
export const DeniedAct = z.object({
  /** The tool's name for the act, such as `Bash`. */
  tool: z.string(),
  /** Command, path or denied ability, one line. */
  act: z.string(),
  /** Instruction for a person who wants to allow the act; not given if unknown. */
  allow: z.string().optional(),
  /** Words of the command line that allow the act; not given if there are none. */
  words: z.array(z.string()).optional(),
});
export type DeniedAct = z.infer<typeof DeniedAct>;

/** Maximum length of an act, in characters. */
const maxAct = 200;

export const deniedAct = (tool: string, act: string): DeniedAct => ({
  tool,
  act: act.replace(/\s+/g, " ").trim().slice(0, maxAct),
});

/** Name an act by tool, program and subcommand: the name is the same for a retry with other arguments. */
export function nameOfAct({ tool, act }: DeniedAct): string {
  const [program, subcommand = ""] = act.split(" ");
  return [tool, program, ...(/^[a-z][a-z-]*$/.test(subcommand) ? [subcommand] : [])].join(" ");
}

/** Usage of a delegation; fields that the executor does not report are not given. */
export const Usage = z.object({
  inputTokens: z.int().min(0).optional(),
  outputTokens: z.int().min(0).optional(),
  costUsd: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * How an executor ended. `exit`: by itself; `timeout`: time limit; `idle`: silence, or nothing but waiting; `flood`:
 * output limit; `signal`: a signal; `spawn`: it could not start.
 */
export const Ending = z.enum(["exit", "timeout", "idle", "flood", "signal", "spawn"]);
export type Ending = z.infer<typeof Ending>;

/** The reply of an executor. */
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
  leftBehind: z.int().min(0).optional(),
  atOnce: z.boolean().optional(),
});
export interface Reply {
  /** The final message; only the end of a very long message. */
  readonly text: string;
  /** End of the executor's other output. */
  readonly stderr?: string;
  /** Exit code of the process; 0 if not given. */
  readonly exitCode?: number;
  /** `exit` if not given. */
  readonly ended?: Ending;
  /** Limit that stopped the executor: milliseconds for `timeout` and `idle`, bytes for `flood`. */
  readonly limit?: number;
  readonly usage?: Usage;
  /** Problem of the executor itself, if reported in structured form. */
  readonly problem?: ServiceProblem;
  /** Structured claim; if not given, the claim is read from `text`. */
  readonly claim?: Claim;
  /** Acts that the tool denied its agent. */
  readonly denials?: readonly DeniedAct[];
  /** Number of processes that were still running after the executor, and were then ended; 0 if not given. */
  readonly leftBehind?: number;
  /** Whether the executor ended within seconds without a message. */
  readonly atOnce?: boolean;
}

/** Name of an attempt: `<task id>#<attempt>`. */
export type AttemptKey = string;

export const attemptKey = (task: string, attempt: number): AttemptKey => `${task}#${attempt}`;

/** Derive the attempt from the key of an effect. */
export const attemptOf = (key: string): AttemptKey => key.slice(0, key.lastIndexOf("/"));

/**
 * Result of one attempt of a race. `unproven`: claimed without proof; `unable`: the executor was unavailable;
 * `stopped`: another attempt was proven first.
 */
export const Raced = z.enum(["proven", "unproven", "failed", "unable", "stopped"]);
export type Raced = z.infer<typeof Raced>;

export const numberOf = (attempt: AttemptKey): number => Number(attempt.slice(attempt.lastIndexOf("#") + 1));

/** Derive the task from the key of an attempt or effect. */
export const taskOf = (key: string): string => key.slice(0, key.lastIndexOf("#"));
