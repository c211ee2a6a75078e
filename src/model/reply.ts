import * as z from "zod";
import { clamp } from "./text.ts";

/** What an executor may ask for instead of, or besides, doing its task. */
export const ChangeType = z.enum(["SPLIT_TASK", "ADD_PREREQUISITE", "ADD_FOLLOWUP"]);
export type ChangeType = z.infer<typeof ChangeType>;

const mostTasks = 20;
/** Code points kept. */
const longestReasoning = 500;

/** A `TASK_MODIFICATION_REQUEST` as an executor wrote it. Untrusted. */
export const ModificationRequest = z.object({
  type: ChangeType,
  originalTaskId: z.string().trim().min(1),
  reasoning: z
    .string()
    .default("")
    .overwrite((said) => clamp(said, longestReasoning)),
  /** Each the markdown of one task, as it is to stand in the plan. */
  proposedTasks: z.array(z.string()).min(1).max(mostTasks).readonly(),
});
export interface ModificationRequest {
  readonly type: ChangeType;
  readonly originalTaskId: string;
  readonly reasoning: string;
  /** Each the markdown of one task, as it is to stand in the plan; at least one. */
  readonly proposedTasks: readonly string[];
}

/** Characters that are kept of each text of a claim. */
const longest = 16 * 1024;

const text = z.string().overwrite((said) => clamp(said, longest));

/**
 * What an executor claims of its attempt, in a form made for programs. It is untrusted, and takes the place of what
 * would be read from the text of its reply; what is verified stays the same.
 */
export const Claim = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("complete") }),
  z.object({ kind: z.literal("failed"), error: text, attemptedFix: text.optional(), blocker: text.optional() }),
  /** A person has to decide something first. */
  z.object({ kind: z.literal("blocked"), question: text.min(1) }),
  /** The plan has to change: the task is not done, but for one of type `ADD_FOLLOWUP`. */
  z.object({ kind: z.literal("modify"), request: ModificationRequest }),
]);
export type Claim = z.infer<typeof Claim>;

/**
 * What keeps an executor from working, whatever the task. `rate-limit` and `offline` pass by themselves; `auth` and
 * `permission` need a person. `startup`: it did not begin, such as for want of the program or of an option.
 */
export const serviceKinds = ["rate-limit", "offline", "auth", "permission", "startup"] as const;

/** A trouble of the executor itself, told from its exit code, its stderr or a structured result; never from prose. */
export const ServiceProblem = z.object({
  kind: z.enum([...serviceKinds, "context-exhausted"]),
  /** What it said, one line. */
  message: z.string(),
  /** When it is over, in milliseconds since 1970, where that was said. */
  until: z.number().optional(),
});
export type ServiceProblem = z.infer<typeof ServiceProblem>;

/** Whether it is the executor that cannot work, rather than the task that was not done. */
export const isServiceKind = (kind: unknown): boolean => serviceKinds.some((each) => each === kind);

/**
 * What a known tool may do without asking: what its own settings say; write files of the workspace, run the plan's
 * Verify, `git add` and `git commit`, and no other command; or all it can.
 */
export const PermissionLevel = z.enum(["tool", "edit", "full"]);
export type PermissionLevel = z.infer<typeof PermissionLevel>;

/** An act that a tool did not allow its agent, as the tool itself reports it. */
export const DeniedAct = z.object({
  /** As the tool names its own, such as `Bash`. */
  tool: z.string(),
  /** The command, the path, or what could not be done at all; one line. */
  act: z.string(),
  /** How a person allows it; not given where that is not known. */
  allow: z.string().optional(),
  /** Words of the command line that allow it; not given where there are none that are known. */
  words: z.array(z.string()).optional(),
});
export type DeniedAct = z.infer<typeof DeniedAct>;

/** Characters of an act that are kept. */
const maxAct = 200;

/** An act as it is reported. @param act Of any length. */
export const deniedAct = (tool: string, act: string): DeniedAct => ({
  tool,
  act: act.replace(/\s+/g, " ").trim().slice(0, maxAct),
});

/**
 * A name that an act keeps when it is tried again in other words: the tool, the program, and the subcommand where there
 * is one.
 */
export function nameOfAct({ tool, act }: DeniedAct): string {
  const [program, subcommand = ""] = act.split(" ");
  return [tool, program, ...(/^[a-z][a-z-]*$/.test(subcommand) ? [subcommand] : [])].join(" ");
}

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
  leftBehind: z.int().min(0).optional(),
  atOnce: z.boolean().optional(),
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
  /** Processes that were still running when it ended, and were ended with it; none when not given. */
  readonly leftBehind?: number;
  /** It gave up within seconds, without a message. */
  readonly atOnce?: boolean;
}

/** How an attempt of one task is named: `<task id>#<attempt>`. */
export type AttemptKey = string;

export const attemptKey = (task: string, attempt: number): AttemptKey => `${task}#${attempt}`;

/** The attempt an effect's key belongs to. */
export const attemptOf = (key: string): AttemptKey => key.slice(0, key.lastIndexOf("/"));

/**
 * How an attempt of a race has ended: its Verify has proven it, it claims to be done without that, it failed, its
 * executor could not work, or another one was proven first.
 */
export const Raced = z.enum(["proven", "unproven", "failed", "unable", "stopped"]);
export type Raced = z.infer<typeof Raced>;

/** The number in `<task id>#<attempt>`. */
export const numberOf = (attempt: AttemptKey): number => Number(attempt.slice(attempt.lastIndexOf("#") + 1));

/** The task an attempt or an effect of it belongs to. */
export const taskOf = (key: string): string => key.slice(0, key.lastIndexOf("#"));
