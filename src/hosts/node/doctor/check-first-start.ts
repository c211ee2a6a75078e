import { shell } from "../../../adapters/shell.ts";
import { proseVerify } from "../../../markdown/lint/find-verify-problems.ts";
import { firstProgram } from "../../../markdown/lint/judge-command.ts";
import { readVerify, withCheck } from "../../../markdown/tasks/read-verify.ts";
import { commandLine, renderActions, type SpecAddress } from "../../../model/command-line.ts";
import { whyNoProgram } from "../../../model/doubtful-command.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { Plan } from "../../../model/plan.ts";
import type { Policy } from "../../../model/policy.ts";
import { projectCheck } from "../../../model/project-check.ts";
import { countOf } from "../../../model/text.ts";
import type { CommandResult } from "../../../ports/shell.ts";
import { verifyTrouble } from "../../../recover/verify-trouble.ts";
import { renderItem } from "../../../wording/render-items.ts";
import { lookAhead } from "../consent/ask-first.ts";
import { ownerRecord } from "../consent/owner-record.ts";
import type { SpecFolder } from "../find-spec.ts";
import type { RunOptions } from "../run-options.ts";
import { type Finding, ok } from "./check-tools.ts";

const mostTold = 4;

/**
 * Describe what a start with these options asks the owner before the first delegation.
 *
 * @returns Null if the start asks nothing, or its question is unknown, for example because a run is in progress.
 */
export async function checkConsent(options: RunOptions, address: SpecAddress): Promise<Finding | null> {
  const question = await lookAhead(options).then(
    (ahead) => ahead.question,
    (error: unknown) => {
      if (error instanceof FixpointError && error.blame !== "invariant") return null;
      throw error;
    },
  );
  if (question === null) return null;
  const { items, hash, refuses } = question;
  const more = items.length > mostTold ? [`${items.length - mostTold} more`] : [];
  const listed = [...items.slice(0, mostTold).map(renderItem), ...more].join("; ");
  const ways = refuses
    ? [{ say: "At a terminal you are asked; elsewhere, --yes agrees in advance" }]
    : [{ say: "At a terminal you are asked; elsewhere, this command agrees in advance", words: ["--accept", hash] }];
  return {
    ...{ about: "consent", level: "ok" },
    what: `a start asks whether you agree to ${countOf(items.length, "item", "items")}: ${listed}`,
    remedy: renderActions(ways, address),
  };
}

const longestMs = 60_000;

interface VerifyPlace {
  readonly spec: SpecFolder;
  /** Absolute. */
  readonly workspace: string;
  readonly policy: Pick<Policy, "checkEvery" | "passEnv" | "trustExecutor" | "verify" | "verifyTimeout">;
  readonly address: SpecAddress;
}

/**
 * Run the first open Verify of a plan, as a run does before the work, and report the result. Only a command that the
 * owner has agreed to is run.
 *
 * @returns Null if the plan has no open Verify, or if a run would not run the Verify.
 */
export async function checkFirstVerify(
  { tasks }: Plan,
  { spec, workspace, policy, address }: VerifyPlace,
  signal: AbortSignal,
): Promise<Finding | null> {
  const open = tasks
    .filter(({ done, fixOf }) => !done && fixOf === null)
    .map((task) => withCheck(task, projectCheck(policy)));
  const task = open.find(({ fields }) => readVerify(fields.verify).kind === "command");
  const verify = task === undefined ? null : readVerify(task.fields.verify);
  if (task === undefined || verify?.kind !== "command" || policy.trustExecutor) return null;
  const { command, word } = verify;
  const about = `the Verify of ${task.id}`;
  const prose = proseVerify(task);
  if (prose !== null) return { about: "verify", level: "warning", what: prose.message, remedy: prose.hint };
  const { run, exists, secrets } = shell({ workspace, passEnv: policy.passEnv ?? [] });
  const program = word ?? firstProgram(command);
  if (program !== null && !(await exists(program))) {
    const { why, hint } = whyNoProgram(command, program);
    return warning(`${about} cannot run here: ${why}`, hint);
  }
  const { agreement } = await ownerRecord(spec, workspace);
  if (agreement?.verify.includes(command) !== true) {
    return ok("verify", `${about} is not run here: you have not agreed to it yet`);
  }
  const result = await run(command, { timeoutMs: Math.min(longestMs, policy.verifyTimeout) }, signal);
  const withheld = secrets?.withheld ?? [];
  const trouble = verifyTrouble({ command, run: result, withheld, before: null });
  if (trouble === null) return tell(about, result);
  const { question, hint, variable } = trouble;
  const names = [...(policy.passEnv ?? []), ...(variable === undefined ? [] : [variable])];
  const options = names.flatMap((name) => ["--pass-env", name]);
  const remedy = variable === undefined ? hint : `Pass the variable on: ${commandLine(address, "run", { options })}`;
  return warning(question.replace("its Verify", about), remedy);
}

function tell(about: string, { exitCode, timedOut }: CommandResult): Finding {
  if (timedOut) return warning(`${about} did not end in time`, "Write a command that ends, or raise --verify-timeout");
  if (exitCode === 126 || exitCode === 127) {
    return warning(`${about} cannot run here (exit ${exitCode})`, "Correct the command, or install what it needs");
  }
  if (exitCode === 0) {
    return warning(
      `${about} is green before the work, so a green result after it proves nothing`,
      "Write a command that fails until the work is done",
    );
  }
  return ok("verify", `${about} is red before the work (${exitCode === null ? "ended" : `exit ${exitCode}`})`);
}

const warning = (what: string, remedy: string | null): Finding => ({ about: "verify", level: "warning", what, remedy });
