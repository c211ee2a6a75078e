import { join } from "node:path";
import type { Fault } from "./fault.ts";
import { type Trace, type TracedCall, tracedNames } from "./traced-call.ts";

export const traceAll = (): string[] => [
  "-f",
  "-qq",
  "--seccomp-bpf",
  "-y",
  "-e",
  "signal=none",
  "-e",
  `trace=${tracedNames.join()}`,
];

export function inject(fault: Fault, { calls, isShared }: Trace, spec: string): string[] {
  const { call } = fault;
  if (fault.kind === "kill") {
    // With `--seccomp-bpf`, strace would inject no signal, so detach from child processes instead.
    return asked(["--detach-on=execve"], [call.path], spec, [[call.name, `signal=KILL:when=${call.ordinal}`]]);
  }
  // strace counts calls per process, so detach from child processes that use files of the spec.
  const how = isShared ? ["--detach-on=execve"] : ["--seccomp-bpf"];
  const error = `error=${fault.errno}`;
  const isOnView = views.test(call.path);
  if (!fault.lasts) return asked(how, [call.path], spec, [[call.name, `${error}:when=${call.ordinal}`]]);
  // Count calls on the state file separately, because their time and number vary.
  const known = isOnView
    ? calls.filter(({ path }) => path === call.path)
    : calls.filter(({ path }) => !views.test(path));
  const before = known.slice(
    0,
    known.findIndex(({ name, path, ordinal }) => isSame(call, { name, path, ordinal })),
  );
  const names = [...new Set(known.map(({ name }) => name))].filter((name) => isRefused(name, fault.errno, call));
  const rules = names.map((name): [string, string] => {
    const first = before.filter((other) => other.name === name).length + 1;
    return [name, `${error}:when=${first}+`];
  });
  return asked(how, [...new Set(known.map(({ path }) => path))], spec, rules);
}

/** State file for other programs. The time of its writes varies. */
export const views = /^(?:\.fixpoint\/state-.*\.tmp|\.ralph-state\.json)$/;

const isSame = (a: TracedCall, b: Pick<TracedCall, "name" | "path" | "ordinal">): boolean =>
  a.name === b.name && a.path === b.path && a.ordinal === b.ordinal;

/**
 * A full or read-only disk can still be read, but strace cannot recognize an open for reading. So opens fail only if
 * the first failed call is an open.
 */
const isRefused = (name: string, errno: string, call: TracedCall): boolean =>
  name !== "openat" || call.name === "openat" || ["EIO", "EACCES", "EMFILE"].includes(errno);

function asked(
  how: readonly string[],
  paths: readonly string[],
  spec: string,
  rules: readonly (readonly [name: string, rule: string])[],
): string[] {
  return [
    ...["-f", "-qq", ...how, "-e", "signal=none", "-e", `trace=${rules.map(([name]) => name).join()}`],
    ...paths.flatMap((path) => ["-P", join(spec, path)]),
    ...rules.flatMap(([name, rule]) => ["-e", `inject=${name}:${rule}`]),
  ];
}
