import type { CommandEntry } from "./cli-command.ts";

/** Declaration of the files after `--`, for commands that take some. */
export const filesBehind = "[files...]";

/** All commands, in the order of the help. */
export const entries: readonly CommandEntry[] = [
  {
    name: "run",
    argument: "[spec]",
    summary: "run a spec, or continue its run, until it is done or something stops it",
    load: async () => (await import("./commands/run.ts")).run,
  },
  {
    name: "resume",
    argument: "[spec]",
    summary: "continue a run that was stopped or paused",
    load: async () => (await import("./commands/run.ts")).resume,
  },
  {
    name: "pull-request",
    argument: "[number|url] [spec]",
    summary: "watch a pull request that exists until it is green: red checks and reviews become tasks",
    load: async () => (await import("./commands/run.ts")).pullRequest,
  },
  {
    name: "next",
    argument: "[spec]",
    summary: "hand out the next task of a spec, with its prompt, to whoever does it and reports it",
    load: async () => (await import("./commands/next.ts")).next,
  },
  {
    name: "report",
    argument: "<nonce> [spec] [rest]",
    summary:
      "report a task that was handed out: it is verified, and the next one is handed out; with - as rest, what is not typed is read as JSON from standard input",
    load: async () => (await import("./commands/next.ts")).report,
  },
  {
    name: "mcp",
    argument: "[spec]",
    summary: "serve the tasks of a spec to an agent as tools of the Model Context Protocol",
    load: async () => (await import("./commands/mcp.ts")).mcp,
  },
  {
    name: "hook",
    argument: "<event> [spec]",
    summary: "answer the stop hook of an agent's command line: remind it of what it has not reported",
    load: async () => (await import("./commands/hook.ts")).hook,
  },
  {
    name: "install",
    argument: "<agent> [spec]",
    summary: "set up an agent's command line, so that it works off a spec with fixpoint's tools",
    load: async () => (await import("./commands/install.ts")).install,
  },
  {
    name: "pause",
    argument: "[spec]",
    summary: "pause a run: no more tasks are started until you resume it",
    load: async () => (await import("./commands/say.ts")).pause,
  },
  {
    name: "say",
    argument: "<word> [text] [spec]",
    summary:
      "answer or advise a run that is going on: guidance <text>, retry, skip, skip-task or stop; with --queue the run stands before that",
    load: async () => (await import("./commands/say.ts")).say,
  },
  {
    name: "stop",
    argument: "[spec]",
    summary: "stop a run as Ctrl-C would; it can be continued later",
    load: async () => (await import("./commands/say.ts")).stop,
  },
  {
    name: "watch",
    argument: "[spec]",
    summary: "show a run, or all below a folder, on a page in the browser, live, and say words to it",
    load: async () => (await import("./commands/watch.ts")).watch,
  },
  {
    name: "status",
    argument: "[spec]",
    summary: "show the state of every task and of its fixes",
    load: async () => (await import("./commands/status.ts")).status,
  },
  {
    name: "lint",
    argument: "[spec]",
    summary: "check a plan (a spec or a file) and list every problem with its line",
    load: async () => (await import("./commands/lint.ts")).lint,
  },
  {
    name: "doctor",
    argument: "[spec]",
    summary: "check that all a run needs is here: programs, folders, tools and their logins, the plan",
    load: async () => (await import("./commands/doctor.ts")).doctor,
  },
  {
    name: "why",
    argument: "<task> [spec]",
    summary: "explain the state of a task: each decision, with the counts behind it",
    load: async () => (await import("./commands/why.ts")).why,
  },
  {
    name: "stats",
    argument: "[folder]",
    summary: "tell what all runs below a folder have come to: what passed at once, what solved the rest, cost and time",
    load: async () => (await import("./commands/stats.ts")).stats,
  },
  {
    name: "prompt",
    argument: "<task> [spec]",
    summary: "show what the first delegation of a task would be told; runs nothing",
    load: async () => (await import("./commands/prompt.ts")).prompt,
  },
  {
    name: "init",
    argument: "[folder]",
    summary: "set up a first run: find the plan, the project's check and the agent, and write fixpoint.config.json",
    load: async () => (await import("./commands/init.ts")).init,
  },
  {
    name: "logs",
    argument: "<task> [spec]",
    summary: "show what an attempt at a task printed: its final message and its Verify",
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "attempts",
    argument: "[task] [spec]",
    summary: "list the attempts of a run: what became of each, and how much it changed",
    load: async () => (await import("./commands/attempts.ts")).attempts,
  },
  {
    name: "diff",
    argument: "<key> [key] [spec]",
    summary: "show what an attempt such as 1.1#2 changed, or what differs between two",
    load: async () => (await import("./commands/attempts.ts")).diff,
  },
  {
    name: "restore",
    argument: `<key> [spec] ${filesBehind}`,
    summary: "put files back as an attempt left them: all, or those named behind --",
    load: async () => (await import("./commands/attempts.ts")).restore,
  },
  {
    name: "replay",
    argument: "[spec]",
    summary: "make the decisions of a recorded run (a spec or its journal) again and list those that differ",
    load: async () => (await import("./commands/replay.ts")).replay,
  },
  {
    name: "export",
    argument: "[spec]",
    summary: "print a run as one page (every step, with the evidence) or as a summary in markdown",
    load: async () => (await import("./commands/export.ts")).exportRun,
  },
  {
    name: "clean",
    argument: "[spec]",
    summary: "remove the data of old runs",
    load: async () => (await import("./commands/reset.ts")).clean,
  },
  {
    name: "reset",
    argument: "[spec]",
    summary: "remove what a run has written to the spec, so that the next run starts over",
    load: async () => (await import("./commands/reset.ts")).reset,
  },
  {
    name: "submit",
    argument: "[spec]",
    summary: "put a spec into the queue of a fleet, whose workers run it on other machines",
    load: async () => (await import("./commands/fleet.ts")).submit,
  },
  {
    name: "worker",
    argument: "",
    summary: "take part in a fleet: carry its runs, and do the work of some executors",
    load: async () => (await import("./commands/fleet.ts")).worker,
  },
  {
    name: "fleet",
    argument: "",
    summary: "show the runs, workers and open questions of a fleet",
    load: async () => (await import("./commands/fleet.ts")).fleet,
  },
  {
    name: "diagram",
    argument: "[machine]",
    summary: "draw a state machine: task, escalation, repair, batch, pullRequest or spec",
    load: async () => (await import("./commands/diagram.ts")).diagram,
  },
  {
    name: "completion",
    argument: `<shell> ${filesBehind}`,
    summary: "print what has bash, zsh or fish complete commands, options, specs and tasks",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];
