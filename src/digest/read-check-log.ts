import { escapeSequence } from "../model/text.ts";

/** Maximum number of characters read from the end of a log. */
const longestLog = 4 * 1024 * 1024;

export interface StepOutput {
  readonly output: string;
  /** Absolute path of the runner's checkout; null if no line contains it. */
  readonly folder: string | null;
}

/**
 * Extract the output of the failed step from the log of a job: without times, colours, the runner's own lines and other
 * steps. Pass the result to `digestOutput`. Never throws; linear in the length of the log.
 *
 * @param text The whole log of GitHub Actions or the end of the log, unmodified and untrusted. Any other text is
 *   returned without colours. Only the last 4 MiB are read.
 * @param failedStep Name of the failed step in the job's list, such as `Run npm test`; null if unknown. A log does not
 *   contain custom names of steps: if the name is not found, the last step with an error is taken.
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

/** Split the end of a log into lines, without a first line that may be cut. */
function lastLines(text: string): string[] {
  const end = text.slice(-longestLog);
  const lines = end.split(/\r?\n/);
  return end.length < text.length && lines.length > 1 ? lines.slice(1) : lines;
}

const bare = (line: string): string =>
  line.replace(/^\uFEFF?(?:\d{4}-\d\d-\d\dT[\d:.]{8,18}Z ?)?/, "").replace(escapeSequence, "");

/** Path of a checkout in the runner's work folder: two nested folders named like the repository. */
const checkout = /(?:\/home\/runner\/work|\/Users\/runner\/work|\/__w)\/([\w.-]{1,100})\/\1(?![\w.-])/;

interface Step {
  readonly name: string | null;
  readonly lines: string[];
}

/** A step starts with a group that contains its command and settings, and ends at the start of the next step. */
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

/** The line if the step printed it; empty if the runner printed it. */
function saidIn(line: string): string[] {
  if (/^##\[error\](?:Process completed with exit code -?\d+\.|.{0,200} failed with exit code -?\d+)$/.test(line))
    return [];
  if (/^(?:##\[(?:group|endgroup|command|debug)\]|\[command\])/.test(line)) return [];
  return [line.replace(/^##\[(?:error|warning|notice)\]/, "")];
}
