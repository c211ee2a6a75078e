import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Project } from "../coordinator/project.ts";
import type { Fault } from "./fault.ts";
import type { Ground } from "./ground.ts";
import { isHarmless } from "./harmless.ts";
import type { TracedEnd } from "./start-traced.ts";

/**
 * I28: violations at the end of a start in which a system call failed.
 *
 * @param expectedCode Exit code of the undisturbed start.
 */
export function checkFailed(
  fault: Extract<Fault, { kind: "errno" }>,
  { exitCode, said }: TracedEnd,
  project: Project,
  ground: Ground,
  expectedCode: number,
): string[] {
  const { call, errno } = fault;
  const found: string[] = [];
  if (/^ +at .*:\d+:\d+/m.test(said)) found.push("a stack trace is shown");
  const mayGoOn = isHarmless(fault);
  if (exitCode !== 5 && !(mayGoOn && exitCode === expectedCode)) found.push(`it ended with ${exitCode}`);
  if (exitCode !== 0 && said.includes("ALL_TASKS_COMPLETE")) found.push("it reports completion");
  if (exitCode === 5 && !said.includes(errno)) found.push("the errno is not reported");
  if (exitCode === 5 && !said.includes(project.spec)) found.push("no path is reported");
  const begun = outputsIn(project).filter((path) => !mayHaveBegun(path, call, ground));
  const beside = (project.scenario.width ?? 1) - 1;
  if (!mayGoOn && begun.length > beside) found.push(`executors were started after the failed call: ${begun}`);
  return found.length === 0 ? [] : [`${found.join(", ")}; it said: ${said.slice(-400)}`];
}

const outputsIn = ({ dataFolder }: Project): string[] => {
  try {
    return readdirSync(join(dataFolder, "run-1/out")).filter((name) => name.endsWith(".err"));
  } catch {
    return [];
  }
};

function mayHaveBegun(output: string, call: Fault["call"], { trace: { calls }, project }: Ground): boolean {
  const opened = calls.findIndex(({ name, path }) => name === "openat" && path.endsWith(`/${output}`));
  const failed = calls.findIndex(
    ({ name, path, ordinal }) => name === call.name && path === call.path && ordinal === call.ordinal,
  );
  return outputsIn(project).includes(output) || (opened !== -1 && opened <= failed);
}
