import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { findPreset } from "../../src/adapters/presets/presets.ts";
import { runSpec } from "../../src/hosts/node/run-spec.ts";
import type { TimedRunEvent } from "../../src/model/event.ts";
import { writeScript } from "../support/folder.ts";
import { lastingFolder } from "../support/project.ts";
import { recordsIn } from "../support/traces.ts";

const streams = resolve(import.meta.dirname, "../fixtures/streams");

/**
 * `start`: restart the tool, then ask a person. `shorter`: shorten the prompt. `again`: request the signal line again.
 */
type Expected =
  | readonly [what: "wait", kind: "offline" | "rate-limit"]
  | readonly [what: "ask", kind: "auth" | "permission"]
  | readonly [what: "start"]
  | readonly [what: "allow"]
  | readonly [what: "shorter"]
  | readonly [what: "again"]
  | readonly [what: "fail", kind: "task" | "timeout"]
  | readonly [what: "pass"];

type End = number | "stop" | "waits";

const offline = ["wait", "offline"] as const;
const limited = ["wait", "rate-limit"] as const;
const auth = ["ask", "auth"] as const;
const permission = ["ask", "permission"] as const;
const silent = ["fail", "timeout"] as const;
const failed = ["fail", "task"] as const;

/**
 * Written from the recordings, not from results of the program. `stop`: the silent tool was ended. `waits`: the tool
 * reported a wait.
 */
const cases: Readonly<Record<string, readonly [end: End, expected: Expected, sentence: string]>> = {
  "amp-0.0.1790142911-dns": [1, offline, "Couldn't connect to the Amp server"],
  "amp-0.0.1790142911-nokey": [1, auth, "No API key found"],
  "amp-0.0.1790142911-one": [1, ["start"], "API request for getUserInfo failed: 404"],
  "amp-0.0.1790142911-refused": [1, offline, "Couldn't connect to the Amp server"],
  "claude-2.1.330-auth": [1, auth, "Invalid API key"],
  "claude-2.1.330-auth+timeout": ["stop", auth, "authentication_failed"],
  "claude-2.1.330-authafter": [1, auth, "Invalid API key"],
  "claude-2.1.330-billing": [1, permission, "Credit balance is too low"],
  "claude-2.1.330-commit+accept": [0, ["allow"], "git commit -qm feat-a"],
  "claude-2.1.330-context": [1, ["shorter"], "Prompt is too long"],
  "claude-2.1.330-cut": [0, ["again"], "I begin to think about th"],
  "claude-2.1.330-dns": [1, offline, "Can't reach the API server"],
  "claude-2.1.330-dropped": [1, offline, "Connection dropped (ECONNRESET)"],
  "claude-2.1.330-failfix": [0, failed, "a.txt is missing"],
  "claude-2.1.330-forbidden": [1, permission, "API Error: 403"],
  "claude-2.1.330-midstream": [0, ["again"], "I begin to think about th"],
  "claude-2.1.330-nokey": [1, auth, "Not logged in"],
  "claude-2.1.330-overload": [1, limited, "529 Overloaded"],
  "claude-2.1.330-pass": [0, ["pass"], ""],
  "claude-2.1.330-rate": [1, limited, "Request rejected (429)"],
  "claude-2.1.330-refused": [1, offline, "Connection refused"],
  "claude-2.1.330-server": [1, offline, "500 Internal server error"],
  "claude-2.1.330-tree": ["stop", silent, ""],
  "claude-2.1.330-unavailable": [1, offline, "503 Service unavailable"],
  "claude-2.1.330-usage": [1, limited, "You have hit your usage limit"],
  "claude-2.1.330-usage+oauth": [1, limited, "You have hit your usage limit"],
  "codex-0.169.0-auth": [1, auth, "401 Unauthorized"],
  "codex-0.169.0-billing": [1, permission, "Quota exceeded. Check your plan and billing details"],
  "codex-0.169.0-commit": [0, ["allow"], "git commit -qm feat-a"],
  "codex-0.169.0-context": [1, ["shorter"], "room in the model's context window"],
  "codex-0.169.0-cut": [1, offline, "stream disconnected before completion"],
  "codex-0.169.0-cutonce": [0, ["pass"], ""],
  "codex-0.169.0-dns": ["waits", offline, "waiting for network"],
  "codex-0.169.0-failfix": [0, failed, "a.txt is missing"],
  "codex-0.169.0-forbidden": [1, permission, "403 Forbidden"],
  "codex-0.169.0-midstream": [1, limited, "at capacity"],
  "codex-0.169.0-nokey": ["waits", offline, "waiting for network"],
  "codex-0.169.0-nokey+timeout": ["stop", offline, "failed to lookup address information"],
  "codex-0.169.0-one+timeout": ["stop", silent, ""],
  "codex-0.169.0-overload": [1, limited, "503 Service Unavailable"],
  "codex-0.169.0-pass": [0, ["pass"], ""],
  "codex-0.169.0-rate": [1, limited, "429 Too Many Requests"],
  "codex-0.169.0-rateafter": [1, limited, "429 Too Many Requests"],
  "codex-0.169.0-rateonce": [0, ["pass"], ""],
  "codex-0.169.0-refused": ["waits", offline, "waiting for network"],
  "codex-0.169.0-server": [1, limited, "experiencing high demand"],
  "codex-0.169.0-usage": [1, limited, "hit your usage limit"],
  "copilot-1.0.102-auth": [1, auth, "HTTP 401"],
  "copilot-1.0.102-billing": [1, permission, "check your plan and billing details"],
  "copilot-1.0.102-context": [1, ["shorter"], "maximum context length"],
  "copilot-1.0.102-cut": [1, offline, "unexpected EOF"],
  "copilot-1.0.102-failfix": [0, failed, "a.txt is missing"],
  "copilot-1.0.102-forbidden": [1, permission, "HTTP 403"],
  "copilot-1.0.102-gateway": [1, offline, "Could not connect to local model provider"],
  "copilot-1.0.102-midstream": [1, limited, "The engine is currently overloaded"],
  "copilot-1.0.102-nokey": [1, auth, "No authentication information found"],
  "copilot-1.0.102-one": [0, ["allow"], "echo a > a.txt"],
  "copilot-1.0.102-overload": [1, limited, "The engine is currently overloaded"],
  "copilot-1.0.102-pass": [0, ["pass"], ""],
  "copilot-1.0.102-rate": [1, limited, "429 Rate limit reached"],
  "copilot-1.0.102-refused": [1, offline, "Could not connect to provider"],
  "copilot-1.0.102-server": [1, offline, "500 The server had an error"],
  "droid-0.225.2-auth": [1, auth, "invalid x-api-key"],
  "droid-0.225.2-context": [1, ["shorter"], "prompt is too long"],
  "droid-0.225.2-cut": [1, offline, "The socket connection was closed"],
  "droid-0.225.2-dns": [1, offline, "Request timed out."],
  "droid-0.225.2-failfix": [0, failed, "a.txt is missing"],
  "droid-0.225.2-forbidden": [1, permission, "does not have permission"],
  "droid-0.225.2-nokey": [0, ["pass"], ""],
  "droid-0.225.2-overload": ["stop", silent, ""],
  "droid-0.225.2-pass": [0, ["pass"], ""],
  "droid-0.225.2-rate": ["stop", silent, ""],
  "droid-0.225.2-refused": [1, offline, "Connection error."],
  "droid-0.225.2-server": ["stop", silent, ""],
  "gemini-0.61.0-auth": [1, auth, "API key not valid"],
  "gemini-0.61.0-context": [1, ["shorter"], "input token count (1210000)"],
  "gemini-0.61.0-cut": ["stop", silent, ""],
  "gemini-0.61.0-denied+autoedit": [0, ["allow"], "echo a > a.txt"],
  "gemini-0.61.0-dns": ["stop", offline, "fetch failed sending request"],
  "gemini-0.61.0-failfix": [0, failed, "a.txt is missing"],
  "gemini-0.61.0-forbidden": [1, permission, "The caller does not have permission"],
  "gemini-0.61.0-midstream": ["stop", silent, ""],
  "gemini-0.61.0-nokey": [41, auth, "Invalid auth method selected."],
  "gemini-0.61.0-overload": ["stop", limited, "The model is overloaded"],
  "gemini-0.61.0-pass": [0, ["pass"], ""],
  "gemini-0.61.0-rate": ["stop", limited, "You exceeded your current quota"],
  "gemini-0.61.0-rate+timeout": ["stop", limited, "You exceeded your current quota"],
  "gemini-0.61.0-refused": ["stop", offline, "fetch failed sending request"],
  "gemini-0.61.0-server": ["stop", offline, "An internal error has occurred"],
  "gemini-0.61.0-untrusted": [55, permission, "not running in a trusted directory"],
  "gemini-0.61.0-usage": [1, limited, "Quota exceeded for quota metric"],
  "opencode-1.18.33-auth": [1, auth, "invalid x-api-key"],
  "opencode-1.18.33-context": [1, ["shorter"], "prompt is too long"],
  "opencode-1.18.33-denied+rules": [0, ["allow"], "echo a > a.txt"],
  "opencode-1.18.33-dns": [1, offline, "Cannot connect to API"],
  "opencode-1.18.33-failfix": [0, failed, "a.txt is missing"],
  "opencode-1.18.33-forbidden": [1, permission, "does not have permission"],
  "opencode-1.18.33-overload": [1, limited, "Overloaded"],
  "opencode-1.18.33-pass": [0, ["pass"], ""],
  "opencode-1.18.33-rate": [1, limited, "rate limit of 50 requests per minute"],
  "qwen-0.15.10-cut": [0, offline, "other side closed"],
  "qwen-0.15.10-forbidden": [0, permission, "403 You do not have access to this model"],
  "qwen-0.15.10-refused": [0, offline, "Connection error. (cause: fetch failed)"],
  "qwen-0.24.4-auth": [1, auth, "401 Incorrect API key"],
  "qwen-0.24.4-context": [1, ["shorter"], "maximum context length"],
  "qwen-0.24.4-denied+default": [0, ["allow"], "write files"],
  "qwen-0.24.4-failfix": [0, failed, "a.txt is missing"],
  "qwen-0.24.4-forbidden": [1, permission, "403 You do not have access to this model"],
  "qwen-0.24.4-nokey": [1, auth, "No auth type is selected"],
  "qwen-0.24.4-overload": ["stop", limited, "The engine is currently overloaded"],
  "qwen-0.24.4-pass": [0, ["pass"], ""],
  "qwen-0.24.4-rate": ["stop", limited, "429 Rate limit reached"],
  "qwen-0.24.4-rate+timeout": ["stop", silent, ""],
  "qwen-0.24.4-refused": [1, offline, "Connection error. (cause: fetch failed)"],
  "qwen-0.24.4-server": ["stop", silent, ""],
  "qwen-0.24.4-usage": ["stop", silent, ""],
};

const planOf = (verify: string): string =>
  `# Tasks\n\n- [ ] 1.1 Write a\n  - **Do**: Write a\n  - **Verify**: \`${verify}\`\n`;
const plan = planOf("true");
const args: Readonly<Record<string, string>> = {
  codex: "--sandbox workspace-write --skip-git-repo-check",
  gemini: "--approval-mode yolo --skip-trust",
};
const toolOf = (name: string): string => name.slice(0, name.indexOf("-"));

interface Replayed {
  readonly events: readonly TimedRunEvent[];
  readonly prompts: readonly string[];
  readonly tasks: string;
  readonly read: unknown;
}

async function replay(
  name: string,
  end: End,
  isTold: (events: readonly TimedRunEvent[]) => boolean,
  differs: { readonly change?: (stream: string) => string; readonly verify?: string } = {},
): Promise<Replayed> {
  const { change = (stream: string) => stream, verify = "true" } = differs;
  const workspace = lastingFolder();
  const spec = join(workspace, "spec");
  const told = join(workspace, "prompts");
  for (const folder of [spec, told]) mkdirSync(folder);
  writeFileSync(join(spec, "tasks.md"), planOf(verify));
  const print = (ending: string): string => {
    const path = join(streams, `${name}.${ending}`);
    if (!existsSync(path)) return "true";
    const text = readFileSync(path, "utf8");
    writeFileSync(join(workspace, ending), ending === "ndjson" ? change(text) : text);
    return `cat ${ending}`;
  };
  const { command } = findPreset(toolOf(name));
  const [program = ""] = command.split(" ");
  const finish = typeof end === "number" ? `exit ${end}` : "exec sleep 600";
  const script = `cat > "prompts/$FIXPOINT_ATTEMPT"\n${print("ndjson")}\n${print("stderr.txt")} >&2\n${finish}`;
  writeScript(workspace, program, script);
  const stop = new AbortController();
  const events: TimedRunEvent[] = [];
  await runSpec({
    spec,
    workspace,
    executors: { executor: { preset: toolOf(name), command: `./${command}`, args: args[toolOf(name)] ?? "" } },
    policy: { recovery: ["fix"], ...(end === "stop" && { idleTimeout: 4000 }) },
    yes: true,
    signal: stop.signal,
    onEvent: (event) => {
      events.push(event);
      if (isTold(events)) stop.abort();
    },
  });
  const prompts = readdirSync(told).sort((a, b) => Number(a) - Number(b));
  return {
    events,
    prompts: prompts.map((prompt) => readFileSync(join(told, prompt), "utf8")),
    tasks: readFileSync(join(spec, "tasks.md"), "utf8"),
    read: recordsIn(join(spec, ".fixpoint", "run-1", "journal-1.ndjson"))
      .flatMap((record) => (record.type === "answered" && record.key === "1.1#1/readFailure" ? [record.answer] : []))
      .at(0),
  };
}

const failuresIn = (events: readonly TimedRunEvent[]) =>
  events.flatMap((event) => (event.type === "task.failed" ? [event.failure] : []));
const typesIn = (events: readonly TimedRunEvent[]): string[] => events.map(({ type }) => type);
const ending = (events: readonly TimedRunEvent[]) => events.find((event) => event.type === "run.ended");

const checks: Readonly<Record<Expected[0], (name: string) => Promise<void>>> = {
  wait: async (name) => {
    const [end, [, kind], sentence] = cases[name] as (typeof cases)[string];
    const { events, tasks, read: answer } = await replay(name, end, (all) => typesIn(all).includes("waiting"));
    expect(events.find(({ type }) => type === "waiting")).toMatchObject({ reason: kind, until: expect.any(Number) });
    expect(answer).toMatchObject({ kind, error: expect.stringContaining(sentence) });
    expect(failuresIn(events)).toEqual([]);
    expect(tasks).toBe(plan);
  },
  ask: async (name) => {
    const [end, [, kind], sentence] = cases[name] as (typeof cases)[string];
    const { events, tasks } = await replay(name, end, () => false);
    expect(events.find(({ type }) => type === "waiting")).toMatchObject({ reason: kind, until: null });
    expect(ending(events)).toMatchObject({ outcome: "gate", error: expect.stringContaining(sentence) });
    expect(tasks).toBe(plan);
  },
  start: async (name) => {
    const [end, , sentence] = cases[name] as (typeof cases)[string];
    const { events, prompts, tasks } = await replay(name, end, () => false);
    expect(events.find(({ type }) => type === "waiting")).toMatchObject({
      reason: "startup",
      until: expect.any(Number),
    });
    expect(ending(events)).toMatchObject({ outcome: "gate", error: expect.stringContaining(sentence) });
    expect([prompts.length, failuresIn(events), tasks]).toEqual([2, [], plan]);
  },
  // Verify fails here, because passing work would show that the denied action was not needed.
  allow: async (name) => {
    const [end, , sentence] = cases[name] as (typeof cases)[string];
    const { events } = await replay(name, end, () => false, { verify: "false" });
    expect(ending(events)).toMatchObject({ outcome: "gate", error: expect.stringContaining(sentence) });
    expect(failuresIn(events).length).toBeLessThanOrEqual(1);
  },
  shorter: async (name) => {
    const [end, , sentence] = cases[name] as (typeof cases)[string];
    const { events, prompts, tasks } = await replay(name, end, () => false);
    expect(failuresIn(events).map(({ kind }) => kind)).toEqual(prompts.map(() => "context-exhausted"));
    expect(prompts.length).toBeGreaterThan(1);
    const lengths = prompts.map(({ length }) => length);
    expect(lengths).toEqual([...new Set(lengths)].sort((a, b) => b - a));
    expect(ending(events)).toMatchObject({ outcome: "gate", error: expect.stringContaining(sentence) });
    expect(ending(events)?.error).toMatch(/^No remedy is left for task 1\.1: even the shortest prompt is too long/);
    expect(tasks).toBe(plan);
  },
  again: async (name) => {
    const [end, , sentence] = cases[name] as (typeof cases)[string];
    const { events, prompts } = await replay(name, end, () => false);
    expect(events.filter(({ type }) => type === "task.rejected")).toMatchObject([
      { layer: "signal", reason: expect.stringContaining(sentence) },
    ]);
    expect([prompts.length, failuresIn(events)]).toEqual([2, []]);
  },
  fail: async (name) => {
    const [end, [, kind], sentence] = cases[name] as (typeof cases)[string];
    const { events } = await replay(name, end, (all) => typesIn(all).includes("task.failed"));
    expect(failuresIn(events)).toMatchObject([{ kind, error: expect.stringContaining(sentence) }]);
    expect(typesIn(events)).not.toContain("waiting");
  },
  pass: async (name) => {
    const [end] = cases[name] as (typeof cases)[string];
    const { events } = await replay(name, end, () => false);
    expect(ending(events)).toMatchObject({ outcome: "complete" });
    expect(failuresIn(events)).toEqual([]);
  },
};

describe.concurrent("a run with a tool that prints a recording", () => {
  it("has an expectation for every recorded case", () => {
    // Skips recordings of structured claims, which need an option.
    const recorded = readdirSync(streams).filter((file) => !file.endsWith(".md") && !file.includes("-claim."));
    expect(Object.keys(cases)).toEqual(
      [...new Set(recorded.map((file) => file.replace(/\.(?:ndjson|stderr\.txt)$/, "")))].sort(),
    );
  });

  it.each(Object.entries(cases).map(([name, [, [what]]]) => [name, what] as const))(
    "interprets %s as %s",
    (name, what) => checks[what](name),
  );

  const prose = Object.values(cases)
    .map(([, , sentence]) => sentence)
    .filter((sentence) => sentence !== "")
    .join("\n");
  const passing = Object.keys(cases).filter((name) => name.endsWith("-pass"));
  const saying = (text: string) => (stream: string) =>
    stream.replaceAll("The task is done as asked.\\n\\nTASK_COMPLETE", JSON.stringify(text).slice(1, -1));

  it.each(passing)("does not take text of the agent for a failure of the tool: %s", async (name) => {
    const proof = "test -e prompts/1";
    const done = await replay(name, 0, () => false, { verify: proof, change: saying(`${prose}\nTASK_COMPLETE`) });
    expect(ending(done.events)).toMatchObject({ outcome: "complete" });
    expect(done.prompts).toHaveLength(1);
    const isOver = (all: readonly TimedRunEvent[]) => typesIn(all).includes("fix.inserted");
    for (const [end, text] of [
      [0, `${prose}\n`],
      [1, `${prose}\n`],
      [1, `${prose}\nTASK_COMPLETE`],
    ] as const) {
      const { events } = await replay(name, end, isOver, { verify: "false", change: saying(text) });
      expect(failuresIn(events)[0]).toMatchObject({ kind: "task" });
      expect(typesIn(events)).not.toContain("waiting");
    }
  });
});
