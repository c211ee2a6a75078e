import { join } from "node:path";
import type { Project } from "../coordinator/project.ts";
import type { Start } from "../scenarios/scenario.ts";
import type { Fault } from "./fault.ts";
import { programOf } from "./program-of.ts";
import { startTraced, type TracedEnd } from "./start-traced.ts";
import { inject, traceAll } from "./strace-words.ts";
import type { Trace } from "./traced-call.ts";

export type Disturbance = { readonly fault: Fault; readonly trace: Trace } | "trace" | null;

export function startFaulted(project: Project, start: Start, disturbance: Disturbance): Promise<TracedEnd> {
  const { folder, workspace, spec } = project;
  const words =
    disturbance === null
      ? null
      : disturbance === "trace"
        ? traceAll()
        : inject(disturbance.fault, disturbance.trace, spec);
  const { words: program, env } = programOf(project, start);
  const [file, ...rest] = program;
  return startTraced([file, "--import", sameNames, ...rest], words, {
    cwd: workspace,
    env,
    output: join(folder, "trace"),
  });
}

/** Fixes the random names of temporary files, because strace must know paths in advance. */
const sameNames = `data:text/javascript,${encodeURIComponent(`
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
crypto.randomUUID = () => "00000000-0000-0000-0000-000000000000";
syncBuiltinESMExports();
`)}`;
