import { text } from "node:stream/consumers";
import * as z from "zod";
import { shellWord } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { exitCodes } from "../../../model/event.ts";
import { escapeLines, escapeText } from "../../../wording/escape-text.ts";
import { programIn } from "../../node/find-spec.ts";
import type { Reported } from "../../node/hand-out/file-run.ts";
import type { NextStep } from "../../node/hand-out/next-step.ts";
import { type CliCommand, type CliOption, type OptionValues, renderJson, type Terminal } from "../cli-command.ts";
import { json } from "../command.ts";
import { openFileRun } from "../open-file-run.ts";
import { flag, readGiven, switchesOf } from "../options/read-flag.ts";
import { runFlags } from "../options/run-flags.ts";
import { runOptions } from "../options/settings.ts";

/** Options of `run` that have no effect when tasks are handed out. */
const unused: ReadonlySet<string> = new Set([
  ...["executor", "exec", "executorArgs", "structuredClaim", "permissions"],
  ...["reporter", "watch", "inspect", "telemetry", "traceContent", "pauseAfter"],
]);

export const nextOptions: readonly CliOption[] = runFlags.filter(({ name }) => !unused.has(name));

export const next: CliCommand = {
  options: [...nextOptions, ...switchesOf({ json })],
  example: "fixpoint next my-feature --recovery-mode --yes --json",
  async run({ words: [spec], values, surroundings }) {
    const { json: asJson, ...options } = values;
    const { run, notices } = await openFileRun(spec, options, surroundings);
    for (const line of notices) surroundings.terminal.err(`${escapeText(line)}\n`);
    return told(await run.next(), asJson === true, surroundings.terminal, { spec, cwd: options["cwd"] });
  },
};

const claims = ["complete", "failed", "blocked", "modify"] as const;

const reportOptions = {
  claim: flag(
    z.enum(claims),
    "--claim <claim>",
    "how the task went: complete; failed, with what went wrong; blocked, with what a person has to decide; modify, with the tasks that the plan needs",
  ),
  message: flag(
    z.string(),
    "--message <text>",
    "what went wrong, or what a person has to decide; without --claim, the final message, from which the claim is read",
  ),
  json,
};

export const report: CliCommand = {
  options: switchesOf({ ...reportOptions, cwd: runOptions.cwd }),
  example: "fixpoint report 3f9c2a7d51e80b64 --claim complete",
  async run({ words: [nonce, ...more], values, surroundings }) {
    const { cwd, ...own } = values;
    const [spec, excess] = more.filter((word) => word !== stdin);
    const given = readGiven(reportOptions, own);
    if (nonce === undefined) {
      throw new InputError("Cannot report without a nonce, expected the nonce of the handed-out work", {
        code: "bad-usage",
        hint: "fixpoint report <nonce> --claim complete; fixpoint next shows the nonce again",
      });
    }
    if (excess !== undefined) {
      throw new InputError(`Cannot use \`${excess}\` after the spec, expected only \`-\``, {
        code: "bad-usage",
        hint: `fixpoint report ${nonce} ${spec} --claim complete`,
      });
    }
    const { claim, message } = given;
    const read = more.includes(stdin) ? await readJson() : {};
    const said = { ...read, ...(claim && { claim }), ...(message !== undefined && { message }) };
    const { run, notices } = await openFileRun(spec, { cwd }, surroundings, nonce);
    for (const line of notices) surroundings.terminal.err(`${escapeText(line)}\n`);
    const { key, verdict, next: after } = await run.report(nonce, said);
    const { out } = surroundings.terminal;
    if (given.json === true) out(`${renderJson({ key, verdict, next: after })}\n`);
    else out(`${renderVerdict({ key, verdict })}\n\n${renderNext(after, { spec, cwd })}`);
    return codeOf(after);
  },
};

/** Argument that makes `report` read the rest of the report from standard input. */
const stdin = "-";

async function readJson(): Promise<object> {
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    if (typeof given === "object" && given !== null) return given;
    throw new Error("the value is not an object");
  } catch (cause) {
    throw new InputError(`Cannot take the report, expected JSON: ${(cause as Error).message}`, {
      code: "report-malformed",
      hint: 'For example {"claim":"failed","error":"what went wrong","usage":{"costUsd":0.1}}',
    });
  }
}

interface Named {
  readonly spec: string | undefined;
  readonly cwd: OptionValues[string];
}

function told(step: NextStep, asJson: boolean, { out }: Terminal, named: Named): number {
  out(asJson ? `${renderJson(step)}\n` : renderNext(step, named));
  return codeOf(step);
}

/** Exit code for a step: 0 if there is work now or later. */
function codeOf(step: NextStep): number {
  if (step.kind === "asked") return exitCodes.gate;
  return step.kind === "ended" ? exitCodes[step.outcome] : 0;
}

function renderNext(step: NextStep, { spec, cwd }: Named): string {
  const own = [...(spec === undefined ? [] : [spec]), ...(typeof cwd === "string" ? ["--cwd", cwd] : [])];
  const line = (nonce: string): string => [programIn(), "report", nonce, ...own.map(shellWord)].join(" ");
  switch (step.kind) {
    case "work":
      return step.tasks
        .map(({ nonce, key, role, task, prompt }) =>
          [
            `${escapeText(`${key}: ${task.title}`)}${role === "executor" ? "" : ` (as ${role})`}`,
            `Report it with: ${escapeText(line(nonce))} --claim complete`,
            `            or: ${escapeText(line(nonce))} --claim failed --message "what went wrong"`,
            "",
            escapeLines(prompt),
            "",
          ].join("\n"),
        )
        .join("\n");
    case "waiting":
      return `No task is ready ${step.until === undefined ? "now" : `before ${step.until}`}: run \`fixpoint next\` later\n`;
    case "asked":
      return `${escapeLines([step.question, step.hint].filter((line) => line !== undefined).join("\n"))}\n`;
    case "ended":
      return `${escapeLines(
        [`The run has ended: ${step.outcome}`, step.error, step.hint].filter((line) => line !== undefined).join("\n"),
      )}\n`;
  }
}

const onOneLine = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("; ");

function renderVerdict({ key, verdict }: Pick<Reported, "key" | "verdict">): string {
  switch (verdict.kind) {
    case "accepted":
      return `${key}: accepted, ${verdict.proof.kind}`;
    case "rejected":
    case "failed": {
      const remedy = verdict.remedy === null ? "" : ` (${verdict.remedy})`;
      return escapeText(`${key}: ${verdict.kind}: ${onOneLine(verdict.reason)}${remedy}`);
    }
    case "asked":
      return escapeText(
        `${key}: a person is asked${verdict.question === null ? "" : `: ${onOneLine(verdict.question)}`}`,
      );
    case "taken":
      return `${key}: taken`;
    case "not-taken":
      return `${key}: report not accepted, since the run asks a question first; report again after the answer`;
  }
}
