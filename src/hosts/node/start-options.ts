import * as z from "zod";
import type { Severities } from "../../markdown/lint-plan.ts";
import { option } from "../../model/option.ts";
import { isRefused, levels, type Rule, rules } from "../../model/rule.ts";

const atLeastOne = z.int().min(1);

const level = z.enum(levels, `expected one of ${levels.join(", ")}`);
const refused = z.literal("error", 'expected "error", since a run refuses such a plan');
export const ruleNames = Object.keys(rules) as Rule[];

/** Options of a single start, taken by `runSpec` and by the command line. */
export const startOptions = {
  /** Agree in advance to what the first start of a run does: its commands, and options that need consent. */
  yes: option(z.boolean(), "of one start", "Agree to what the first start of a run does", {
    group: "This start",
    flags: "--yes",
    basic: true,
    summary: "agree to what the first start of a run does: its Verify commands, and the config file",
  }),
  /** Agree to a later change, by the hash in its question; `any` agrees to every question. */
  accept: option(z.string(), "of one start", "Agree to a later change, by its hash", {
    group: "This start",
    flags: "--accept <hash>",
    summary: "agree to the later change that was shown with this hash; `any` agrees to every change",
  }),
  /** Begin a new run of the plan. If run data was lost, the new run starts with the remembered spending. */
  newRun: option(z.boolean(), "of one start", "Begin a new run of the plan", {
    group: "This start",
    flags: "--new-run",
    summary: "begin a new run of the plan, whatever state the last one is in",
  }),
  /**
   * Take the spec from a coordinator that runs on another machine and has not released the spec, or take back
   * handed-out work.
   */
  takeOver: option(
    z.boolean(),
    "of one start",
    "Take the spec from a coordinator on another machine, or from an agent",
    {
      group: "This start",
      flags: "--take-over",
      summary:
        "remove the lock of a run on another machine, or take back work that fixpoint next has handed out; use this only if no one works there any more",
    },
  ),
  /** Work in the workspace even while the run of another spec works in it. */
  shareWorkspace: option(z.boolean(), "weakens a check", "Share the workspace with the run of another spec", {
    group: "This start",
    flags: "--share-workspace",
    summary:
      "work in the workspace while a run of another spec works there; use this only if the two runs do not disturb each other",
  }),
  /**
   * Pause after this many planned tasks have passed in this start; if no one can resume the start, it ends at a gate.
   */
  pauseAfter: option(atLeastOne, "of one start", "Pause after this many tasks", {
    group: "This start",
    flags: "--pause-after <n>",
    summary: "pause after n tasks have passed in this start; without a terminal, the start ends there",
  }),
  /** Number of runs to keep when a new run begins, including the new run; all runs are kept by default. */
  keepRuns: option(atLeastOne, "of one start", "Number of runs to keep when a new one begins, the new one included", {
    group: "This start",
    flags: "--keep-runs <n>",
    summary: "keep only the last n runs in .fixpoint, the new one included",
    unset: "all",
  }),
  /**
   * A command for `sh -c`, started when a person is asked something, and when the run has ended without being stopped.
   * The command gets the event as JSON on its stdin. The start waits for the command before it ends; a failure of the
   * command does not affect the run.
   */
  notify: option(
    z.string().regex(/\S/, "expected a command"),
    "runs something",
    "A shell command that notifies a person, or off",
    {
      group: "Output",
      flags: "--notify <command>",
      summary: "shell command that tells you when a person is asked something, and when the run has ended",
      unset: "off",
    },
  ),
  /** Severity of problems in the plan, by rule; `off` hides a rule. */
  lint: option(
    z
      .strictObject(Object.fromEntries(ruleNames.map((rule) => [rule, isRefused(rule) ? refused : level])))
      .partial() as z.ZodType<Severities>,
    "looks only",
    "Severity of problems in the plan",
  ),
};

/** The given options of a start. */
export type StartOptions = { readonly [Name in keyof typeof startOptions]?: z.output<(typeof startOptions)[Name]> };
