import * as z from "zod";
import { RedCheck } from "./check-run.ts";
import { Repair } from "./directive.ts";
import { Climb, Escalation } from "./escalation.ts";
import { Layer, Proof } from "./evidence.ts";
import { FailureDigest, FailureKind, FailureLeft } from "./failure.ts";
import { Denial, RepairLimits, RunLimits } from "./limits.ts";
import { Question } from "./person-event.ts";
import { CommitChoice, Policy } from "./policy.ts";
import { ChangeType, DeniedAct, PermissionLevel, Raced, Reply } from "./reply.ts";
import { onTask } from "./run-effects.ts";
import { Rung } from "./rung.ts";

const Guard = z.enum(["reject", "warn", "off"]);

/** Of a race: the number of the attempt whose work was taken, and the name of the content with it. */
const taken = { attempt: z.int().optional(), content: z.string().nullable().optional() };

/** How a claim is judged. */
const Judging = z.object({
  /** Skip the Verify command. */
  trustExecutor: z.boolean(),
  requireExecutorTick: z.boolean(),
  requireCommit: z.boolean(),
  timeoutMs: z.int().min(1),
  /** Reviews its result has had. */
  reviews: z.int().min(0),
  /** What is done about checks that were red before the run; `repair` when not given. */
  knownFailures: z.enum(["ask", "ignore", "repair"]).optional(),
  /** What is done about changes of what proves its task; `off` when not given. */
  guard: Guard.optional(),
  /** The claim before it was rejected for changes of what proves its task: a person is asked about the next. */
  guarded: z.boolean().optional(),
  /** Others of its batch are worked on beside it. */
  grouped: z.boolean().optional(),
  /** Claims on it that were rejected in a row before this one; none when not given. */
  rejections: z.int().min(1).optional(),
  /** By whose rules it is judged; `evidence` when not given. */
  rules: Policy.shape.rules.unwrap().optional(),
  /** A pull request is made of it: `all` where what it leaves is committed for it. */
  ships: z.enum(["own", "all"]).optional(),
});

/** What one attempt on a task asks for, from its delegation to its verdict. */
export const attemptEffects = {
  /** One delegation of one task, admitted and recorded before it starts. */
  delegate: {
    input: onTask.extend({
      root: z.string(),
      attempt: z.int().min(1),
      retries: z.int().min(0),
      requireExecutorTick: z.boolean(),
      limits: RunLimits,
      /** Others are being worked on beside it: it has a progress log of its own. */
      grouped: z.boolean(),
      /** At which level of being stuck; null at none. */
      climb: Climb.nullable(),
      /** What was tried and found out so far, and what the last failed attempt in its tree has left to look at. */
      escalation: Escalation,
      /** Whether being stuck means anything: the policy has a rung for it. */
      escalates: z.boolean(),
      /** The rung that led to this attempt: that of its task's fix or part where it stands higher; null for a first one. */
      remedy: Rung.nullable(),
      /** How long the evidence of a failure may be in a prompt, in characters. */
      maxEvidence: z.int().min(1),
      /** What the repair operator wants to be done differently; null when it was not asked. */
      adjustment: z.string().nullable(),
      /** What a person has advised; null when nobody has. */
      guidance: z.string().nullable(),
      /** Attempts in its tree whose prompts were too long, none when not given: this one is the shorter for it. */
      tooLong: z.int().min(0).optional(),
      /** What its tool may do; `tool` when not given. */
      permissions: PermissionLevel.optional(),
      /** What it leaves is committed for it once it is accepted. */
      committed: z.boolean().optional(),
      /** Time limit of its Verify before the work, in milliseconds; null or not given where that is not run. */
      verifyBefore: z.int().min(1).nullable().optional(),
      /** What is done about changes of what proves its task; `off` when not given. */
      guard: Guard.optional(),
      /** The files are put back before it as the first attempt at its task found them; not when not given. */
      fresh: z.boolean().optional(),
      /**
       * It is handed to so many side by side, whose attempts are numbered from its own on; to one alone when not given.
       * `judging`: how their claims are, as that of the one that is taken once more.
       */
      race: z.object({ of: z.int().min(2), judging: Judging }).optional(),
      /** The tasks of a batch that begin with it, itself among them: all their runs before come first. */
      members: z.array(z.string()).optional(),
    }),
    answer: z.discriminatedUnion("kind", [
      /** `reply`: what was replied, from an actor that was provided; one of ours records it beside the answer. */
      z.object({ kind: z.literal("replied"), reply: Reply.optional(), ...taken }),
      /** What one of a race has come to, under a key of its own: not the answer yet. */
      z.object({ kind: z.literal("raced"), outcome: Raced, content: z.string().nullable() }),
      /** Its Verify was red before the work and is green now: nobody is asked to do it again. */
      z.object({ kind: z.literal("done"), proof: Proof }),
      /** The reply asks for a change of the plan. */
      z.object({ kind: z.literal("requested"), reply: Reply.optional(), ...taken }),
      Denial,
    ]),
  },
  /** The tasks an executor asks for, checked and written into the plan. */
  changePlan: {
    input: onTask.extend({ root: z.string() }),
    answer: z.discriminatedUnion("kind", [
      /** Other tasks come first now. */
      z.object({ kind: z.literal("replanned"), change: ChangeType, added: z.array(z.string()) }),
      /** Tasks were added behind it; the claim is still to be judged. */
      z.object({ kind: z.literal("extended"), change: ChangeType, added: z.array(z.string()) }),
      z.object({ kind: z.literal("refused"), reason: z.string() }),
      Question,
    ]),
  },
  /** The verdict on the claim of an attempt. */
  verify: {
    input: onTask.extend(Judging.shape),
    answer: z.discriminatedUnion("kind", [
      z.object({
        kind: z.literal("accepted"),
        reviewDue: z.boolean().optional(),
        /** What has shown that it is done; that no command has when not given. */
        proof: Proof.optional(),
        /** Files that a `[RED]` task has made: their checks are to fail until the next `[GREEN]` one is done. */
        given: z.array(z.string()).optional(),
        /** Checks that were red before the run and count for nothing in it, by name. */
        excused: z.array(RedCheck.pick({ name: true, id: true })).optional(),
        /** Content of the workspace behind it, where a command checks it later; null where that cannot be told. */
        content: z.string().nullable().optional(),
        /** What still fails, where a fix was accepted that was made for something else; nothing when not given. */
        left: FailureLeft.optional(),
      }),
      /** The executor asks a person before it can go on: no attempt is spent. */
      z.object({
        kind: z.literal("blocked"),
        question: z.string(),
        /** It is about changes of what proves the task: names of the bytes that a person may accept. */
        covers: z.array(z.string()).optional(),
      }),
      z.object({
        kind: z.literal("rejected"),
        layer: Layer,
        reason: z.string(),
        /** Its tool did not allow something: that is read before the claim counts. */
        withheld: z.boolean().optional(),
      }),
      z.object({ kind: z.literal("failed"), layer: Layer, reason: z.string() }),
      Question,
    ]),
  },
  /** A reviewer's look at what an accepted attempt has done. */
  review: {
    input: onTask.extend({ round: z.int().min(1), limits: RunLimits }),
    answer: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("accepted"), passed: z.boolean(), findings: z.string() }),
      z.object({ kind: z.literal("failed"), findings: z.string() }),
      Denial,
      Question,
    ]),
  },
  /** What the output of a failed attempt says. */
  readFailure: {
    input: onTask.extend({
      waits: z.int().min(0),
      /** Look for signs of being stuck. */
      watch: z.boolean(),
      /** What was waited for last, and since when; null when nothing was, or it was told for how long. */
      waiting: z.object({ reason: FailureKind, since: z.number() }).nullable().optional(),
      /** How long that may be; no limit when null or not given. */
      maxWait: z.int().min(1).nullable().optional(),
      /** Attempts in its tree whose prompts were too long; none when not given. */
      tooLong: z.int().min(0).optional(),
      /** The rung that led to the attempt; null or not given for a first one. */
      rung: Rung.nullable().optional(),
    }),
    answer: FailureDigest,
  },
  /** The time at which an executor can work again, or the person without whom it cannot. */
  wait: {
    input: onTask.extend({
      reason: FailureKind,
      error: z.string(),
      until: z.number().nullable(),
      /** Since when it was waited for in vain; null or not given where it was not, or may go on. */
      since: z.number().nullable().optional(),
      /** The rung that led to the attempt; null or not given for a first one. */
      rung: Rung.nullable().optional(),
      /** What its tool did not allow; not given where it is something else. */
      denied: DeniedAct.optional(),
    }),
    answer: z.discriminatedUnion("kind", [z.object({ kind: z.literal("waited") }), Question]),
  },
  /** The box of an accepted task, ticked, and its lines in the progress log. */
  recordPass: {
    input: onTask.extend({
      fixes: z.array(z.string()),
      /** Its lines are written when its batch ends. */
      grouped: z.boolean(),
      /** Its box stays open: it is to be done again in its turn. */
      keepOpen: z.boolean(),
      /** Commit the spec's files. */
      commit: CommitChoice,
      /** The repair that has led to it, for the summary; null without one. */
      repair: Repair.nullable(),
      /** Parts of it that were left out. */
      leftOut: z.int().min(0),
      /** What has shown that it is done. */
      proof: Proof,
      /** Write a fix task for what its Verify has found red that was red before the run, within these limits. */
      repairKnown: RepairLimits.optional(),
    }),
    answer: z.object({
      kind: z.literal("recorded"),
      /** The fix task that was written for what was red before the run. */
      fix: z.string().optional(),
      /** Abbreviated hash of HEAD when the attempt has moved it. */
      commit: z.string().nullable().optional(),
      /** Its lines in the progress log are still to be written. */
      grouped: z.boolean().optional(),
      /** Its box was left open. */
      open: z.boolean().optional(),
      proof: Proof.optional(),
      /** Its box and its log lines are written, but not flushed yet. */
      pending: z.boolean().optional(),
    }),
  },
} as const;
