export interface Way {
  readonly name: string;
  readonly executor: string;
  readonly parent?: "Verify";
  readonly words?: readonly string[];
  readonly trigger: Trigger;
  readonly ends?: readonly (number | NodeJS.Signals)[];
  readonly interrupted?: boolean;
}

type Trigger =
  | { readonly kind: "none" }
  | { readonly kind: "signals"; readonly signals: readonly NodeJS.Signals[] }
  | { readonly kind: "early"; readonly signal: NodeJS.Signals }
  | { readonly kind: "terminal closed" }
  | { readonly kind: "pipe closed" };

const hangs = "sleep 300";
const isDeaf = "trap '' TERM; while :; do sleep 0.1; done";
const works = "touch one; echo TASK_COMPLETE";
/**
 * Fails once the output is closed, so that the coordinator prints a failure. The next attempt does not end by itself.
 */
const failsUnread = "while [ ! -e unread ]; do sleep 0.05; done; [ ! -e failed ] || sleep 300; touch failed";
const once = ["--max-task-iterations", "1"];

const told = (name: string, executor: string, signals: readonly NodeJS.Signals[]): Way => ({
  name,
  executor,
  trigger: { kind: "signals", signals },
  ...(signals.includes("SIGKILL") ? { ends: ["SIGKILL"] } : { ends: [130], interrupted: signals.length === 1 }),
});

export const ways: readonly Way[] = [
  { name: "completes", executor: works, trigger: { kind: "none" }, ends: [0] },
  { name: "reaches a limit", executor: "echo it broke; exit 1", words: once, trigger: { kind: "none" }, ends: [1] },
  told("SIGINT", hangs, ["SIGINT"]),
  told("SIGINT twice", isDeaf, ["SIGINT", "SIGINT"]),
  told("SIGTERM", hangs, ["SIGTERM"]),
  told("SIGHUP", isDeaf, ["SIGHUP"]),
  told("kill -9, then a new start", hangs, ["SIGKILL"]),
  { ...told("SIGINT in a Verify command", works, ["SIGINT"]), parent: "Verify" },
  {
    name: "its executor's time is up",
    executor: hangs,
    words: [...once, "--task-timeout", "1s"],
    trigger: { kind: "none" },
    ends: [1],
  },
  {
    name: "its executor is silent for too long",
    executor: hangs,
    words: [...once, "--idle-timeout", "1s"],
    trigger: { kind: "none" },
    ends: [1],
  },
  { name: "its terminal is closed", executor: hangs, trigger: { kind: "terminal closed" }, interrupted: true },
  { name: "nobody reads its output", executor: failsUnread, trigger: { kind: "pipe closed" }, interrupted: true },
  {
    name: "SIGINT at any moment",
    executor: hangs,
    trigger: { kind: "early", signal: "SIGINT" },
    ends: [130, "SIGINT"],
  },
  {
    name: "kill -9 at any moment, then a new start",
    executor: hangs,
    trigger: { kind: "early", signal: "SIGKILL" },
    ends: ["SIGKILL"],
  },
  {
    name: "its executor floods",
    executor: "exec yes",
    words: [...once, "--max-output", "256m"],
    trigger: { kind: "none" },
    ends: [1],
  },
];
