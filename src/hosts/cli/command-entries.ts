import type { CommandEntry } from "./cli-command.ts";

/** Declaration of the files after `--`, for commands that take files. */
export const filesBehind = "[files...]";

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
    summary: "watch an existing pull request until it is green: red checks and reviews become tasks",
    load: async () => (await import("./commands/run.ts")).pullRequest,
  },
  {
    name: "next",
    argument: "[spec]",
    summary: "hand out the next task of a spec with its prompt, to be done and reported elsewhere",
    load: async () => (await import("./commands/next.ts")).next,
  },
  {
    name: "report",
    argument: "<nonce> [spec] [rest]",
    summary:
      "report a task that was handed out: fixpoint verifies it and hands out the next one; with - as the last argument, a JSON object with the other fields is read from standard input",
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
    summary: "answer the stop hook of an agent: remind it of tasks that it has not reported",
    load: async () => (await import("./commands/hook.ts")).hook,
  },
  {
    name: "install",
    argument: "<agent> [spec]",
    summary: "set up an agent to work through a spec with fixpoint's tools",
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
      "answer or advise a run that is at work: guidance <text>, retry, skip, skip-task or stop; with --queue, the name of the run comes first",
    load: async () => (await import("./commands/say.ts")).say,
  },
  {
    name: "stop",
    argument: "[spec]",
    summary: "stop a run as Ctrl-C would; the run can be continued later",
    load: async () => (await import("./commands/say.ts")).stop,
  },
  {
    name: "watch",
    argument: "[spec]",
    summary: "show a run, or all runs below a folder, live on a page in the browser, and send it messages",
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
    summary: "check that everything a run needs is here: programs, folders, tools and their logins, the plan",
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
    argument: "[spec|folder]",
    summary:
      "summarize all runs of a spec or below a folder: tasks that passed at once, what solved the others, cost and time",
    load: async () => (await import("./commands/stats.ts")).stats,
  },
  {
    name: "prompt",
    argument: "<task> [spec]",
    summary: "show the prompt of the first attempt at a task; runs nothing",
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
    summary: "show the output of an attempt at a task: its final message and its Verify",
    load: async () => (await import("./commands/logs.ts")).logs,
  },
  {
    name: "attempts",
    argument: "[task] [spec]",
    summary: "list the attempts of a run: the result of each, and how much it changed",
    load: async () => (await import("./commands/attempts.ts")).attempts,
  },
  {
    name: "diff",
    argument: "<key> [key] [spec]",
    summary: "show what an attempt such as 1.1#2 changed, or the difference between two",
    load: async () => (await import("./commands/attempts.ts")).diff,
  },
  {
    name: "restore",
    argument: `<key> [spec] ${filesBehind}`,
    summary: "restore files as an attempt left them: all, or those named after --",
    load: async () => (await import("./commands/attempts.ts")).restore,
  },
  {
    name: "replay",
    argument: "[spec]",
    summary: "replay the decisions of a recorded run (a spec or its journal) and list those that differ",
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
    summary: "work for a fleet: carry out its runs, and do the work of some executors",
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
    summary: "print the script that lets bash, zsh or fish complete commands, options, specs and tasks",
    load: async () => (await import("./commands/completion.ts")).completion,
  },
];
