import * as z from "zod";
import { clamp } from "./text.ts";

/** Plan changes that an executor may request instead of, or besides, doing its task. */
export const ChangeType = z.enum(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"]);
export type ChangeType = z.infer<typeof ChangeType>;

const mostTasks = 20;
/** Maximum length of the reasoning, in code points. */
const longestReasoning = 500;

/** A `TASK_MODIFICATION_REQUEST` as an executor wrote it. Untrusted. */
export const ModificationRequest = z.object({
  type: ChangeType,
  originalTaskId: z.string().trim().min(1),
  reasoning: z
    .string()
    .default("")
    .overwrite((said) => clamp(said, longestReasoning)),
  /** Each is the markdown of one task for the plan. */
  proposedTasks: z.array(z.string()).min(1).max(mostTasks).readonly(),
});
export interface ModificationRequest {
  readonly type: ChangeType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Each is the markdown of one task for the plan; at least one. */
  readonly proposedTasks: readonly string[];
}

/** Maximum length of each text of a claim, in characters. */
const longest = 16 * 1024;

const text = z.string().overwrite((said) => clamp(said, longest));

/**
 * An executor's structured claim about its attempt. Untrusted. Replaces the claim read from the reply text;
 * verification stays the same.
 */
export const Claim = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("failed"), error: text, attemptedFix: text.optional(), blocker: text.optional() }),
  /** A person must decide something first. */
  z.object({ kind: z.literal("blocked"), question: text.min(1) }),
  /** The plan must change; the task is not done, except for type `ADD_FOLLOWUP`. */
  z.object({ kind: z.literal("modify"), request: ModificationRequest }),
]);
export type Claim = z.infer<typeof Claim>;

/**
 * Reasons that keep an executor from working on any task. `rate-limit` and `offline` pass by themselves; `auth` and
 * `permission` need a person. `startup`: the executor did not start, for example because of a missing program or
 * option.
 */
export const serviceKinds = ["rate-limit", "offline", "auth", "permission", "startup"] as const;

/** A problem of the executor itself, from its exit code, stderr or structured result; never from prose. */
export const ServiceProblem = z.object({
  kind: z.enum([...serviceKinds, "context-exhausted"]),
  /** Message of the service or program, one line. */
  message: z.string(),
  /** End of the problem, in milliseconds since 1970, if given. */
  until: z.number().optional(),
});
export type ServiceProblem = z.infer<typeof ServiceProblem>;

/** Whether a failure is the executor's, not the task's. */
export const isServiceKind = (kind: unknown): boolean => serviceKinds.some((each) => each === kind);

/**
 * Permissions that a known tool has without asking. `tool`: those of its own settings; `edit`: write workspace files
 * and run only the plan's Verify, `git add` and `git commit`; `full`: everything.
 */
export const PermissionLevel = z.enum(["tool", "edit", "full"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** An act that a tool denied its agent, as reported by the tool. */
export const DeniedAct = z.object({
  /** The tool's own name for the act, such as `Bash`. */
  tool: z.string(),
  /** The command, path or denied ability; one line. */
  act: z.string(),
  /** Instruction for a person who wants to allow the act; not given if unknown. */
  allow: z.string().optional(),
  /** Command-line words that allow the act; not given if none are known. */
  words: z.array(z.string()).optional(),
});
export type DeniedAct = z.infer<typeof DeniedAct>;

/** Maximum length of an act, in characters. */
const maxAct = 200;

/** Create a denied act. @param act Of any length. */
export const deniedAct = (tool: string, act: string): DeniedAct => ({
  tool,
  act: act.replace(/\s+/g, " ").trim().slice(0, maxAct),
});

/** Name of an act: tool, program and subcommand, so that a retry with other arguments has the same name. */
export function nameOfAct({ tool, act }: DeniedAct): string {
  const [program, subcommand = ""] = act.split(" ");
  return [tool, program, ...(/^[a-z][a-z-]*$/.test(subcommand) ? [subcommand] : [])].join(" ");
}

/** Usage of a delegation, as far as the executor reports it. */
export const Usage = z.object({
  inputTokens: z.int().min(0).optional(),
  outputTokens: z.int().min(0).optional(),
  costUsd: z.number().min(0).optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * End of an executor: by itself; by a time limit, silence or mere waiting (`idle`), the output cap (`flood`), or a
 * signal; `spawn`: it could not start.
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
  /** The final message, or the end of a very long message. */
  readonly text: string;
  /** The end of the executor's other output. */
  readonly stderr?: string;
  /** Exit code of the process; 0 if not given. */
  readonly exitCode?: number;
  /** `exit` if not given. */
  readonly ended?: Ending;
  /** The limit that stopped the executor: time and silence in milliseconds, output in bytes. */
  readonly limit?: number;
  readonly usage?: Usage;
  /** The problem that kept the executor from working, if it reports one in structured form. */
  readonly problem?: ServiceProblem;
  /** The executor's structured claim; if not given, the claim is read from the final message. */
  readonly claim?: Claim;
  /** Acts that the tool denied its agent. */
  readonly denials?: readonly DeniedAct[];
  /** Number of processes that the executor left running, and that were ended; none if not given. */
  readonly leftBehind?: number;
  /** Whether the executor gave up within seconds, without a message. */
  readonly atOnce?: boolean;
}

/** Name of an attempt: `<task id>#<attempt>`. */
export type AttemptKey = string;

export const attemptKey = (task: string, attempt: number): AttemptKey => `${task}#${attempt}`;

/** The attempt of an effect's key. */
export const attemptOf = (key: string): AttemptKey => key.slice(0, key.lastIndexOf("/"));

/**
 * Result of a racing attempt: proven by Verify, claimed without proof, failed, executor unavailable, or stopped because
 * another attempt was proven.
 */
export const Raced = z.enum(["proven", "unproven", "failed", "unable", "stopped"]);
export type Raced = z.infer<typeof Raced>;

/** The number in `<task id>#<attempt>`. */
export const numberOf = (attempt: AttemptKey): number => Number(attempt.slice(attempt.lastIndexOf("#") + 1));

/** The task of an attempt or effect key. */
export const taskOf = (key: string): string => key.slice(0, key.lastIndexOf("#"));
