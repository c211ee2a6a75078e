import { escapeSequence } from "../model/text.ts";

/** Characters of the end of a log that are looked at. */
const longestLog = 4 * 1024 * 1024;

/** What the failed step of a job has printed. */
export interface StepOutput {
  /** As its programs have printed it; untrusted. */
  readonly output: string;
  /** Where the runner had checked out the repository, as an absolute path; null when no line tells. */
  readonly folder: string | null;
}

/**
 * What the failed step of a job has printed, from the log of the job: without times, colours, the runner's own lines
 * and all other steps. What failed in it is for `digestOutput` to say. Never throws; linear in the length of the log.
 *
 * @param text A log of GitHub Actions, whole or the end of one, unmodified and untrusted. Any other text comes back as
 *   it is, without colours. Of a very long one only the last 4 MiB are read.
 * @param failedStep The name of the failed step as the job lists it, such as `Run npm test`; null when nobody says. A
 *   log does not hold names that people give to steps: such a step is the last one that has an error.
 * @source https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands
 */
export function readCheckLog(text: string, failedStep: string | null): StepOutput {
  const lines = lastLines(text).map(bare);
  const steps = splitSteps(lines);
  const step =
    steps.findLast(({ name, lines }) => name === failedStep && lines.some(isError)) ??
    steps.findLast(({ lines }) => lines.some(isError)) ??
    steps.at(-1);
  const output = (step?.lines ?? []).flatMap(saidIn).join("\n").trim();
  return { output: `${output}\n`, folder: checkout.exec(output)?.[0] ?? null };
}

/** From a whole line on. */
function lastLines(text: string): string[] {
  const end = text.slice(-longestLog);
  const lines = end.split(/\r?\n/);
  return end.length < text.length && lines.length > 1 ? lines.slice(1) : lines;
}

const bare = (line: string): string =>
  line.replace(/^\uFEFF?(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}Z ?)?/, "").replace(escapeSequence, "");

/** Two folders with the name of the repository, below one that the runner of each system has. */
const checkout = /(?:\/home\/runner\/work|\/Users\/runner\/work|\/__w)\/([\w.-]{1,100})\/\1(?![\w.-])/;

interface Step {
  readonly name: string | null;
  readonly lines: string[];
}

/** A step begins with a group that tells what it runs, its settings included, and ends where another one begins. */
function splitSteps(lines: readonly string[]): Step[] {
  const steps: Step[] = [{ name: null, lines: [] }];
  let isHead = false;
  for (const line of lines) {
    const run = /^##\[group\](Run .*)$/.exec(line)?.[1];
    if (run !== undefined || line === "Post job cleanup.") {
      steps.push({ name: run ?? null, lines: [] });
      isHead = run !== undefined;
    } else if (isHead) isHead = line !== "##[endgroup]";
    else steps.at(-1)?.lines.push(line);
  }
  return steps;
}

const isError = (line: string): boolean => line.startsWith("##[error]");

/** What the step has said on a line; nothing where the runner says something of its own. */
function saidIn(line: string): string[] {
  if (/^##\[error\](?:Process completed with exit code -?\d+\.|.{0,200} failed with exit code -?\d+)$/.test(line))
    return [];
  if (/^(?:##\[(?:group|endgroup|command|debug)\]|\[command\])/.test(line)) return [];
  return [line.replace(/^##\[(?:error|warning|notice)\]/, "")];
}
