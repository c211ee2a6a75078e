export async function createRunner(load) {
  const [{ run }, { createRunMemory }, { withMemory }, { readPolicy }, testing] = await Promise.all(
    ["runtime/run", "effects/run-memory", "effects/with-memory", "model/policy", "testing/index"].map(load),
  );
  const { failedReply, memoryStore, stillClock } = testing;

  /** @param rung Remedy of each third task, which fails once: `retry` or `fix`; null if no task fails. */
  return async function runToEnd(text, rung) {
    const work = workplace();
    const failing = { seen: new Set(), failed: new Set() };
    const delegations = [];
    const events = [];
    const execute = async ({ taskId, prompt, role }) => {
      work.log.push({ kind: "delegation", task: taskId, prompt });
      delegations.push(taskId);
      if (rung !== null && isThird(taskId, failing)) {
        failing.failed.add(taskId);
        return failedReply(taskId, `File not found: src/part-${failing.seen.size}.ts`);
      }
      work.do(taskId, prompt);
      return role === "verifier" ? "VERIFICATION_PASS" : "TASK_COMPLETE";
    };
    const store = memoryStore(text, realityCheck);
    const memory = createRunMemory({
      open: 1,
      store: { append: () => {}, writeOutput: () => {}, readOutput: async () => "" },
    });
    const ports = {
      consent: async () => ({ given: true }),
      executors: { executor: execute, verifier: execute },
      documents: store,
      ...{ shell: work.shell, trees: work.trees, clock: stillClock() },
      ...{ workspace: "/project", spec: "/project/specs/plan", attempts: memory },
    };
    const { ended } = await run({
      ports: withMemory(ports),
      memory,
      policy: readPolicy({ unattended: true, maxGlobalIterations: 10_000, ...(rung && { recovery: [rung] }) }),
      ...{ records: [], midTurn: false, refreshViews: async () => {}, signal: new AbortController().signal },
      onEvent: (event) => {
        events.push(event);
        if (event.type === "task.passed") work.log.push({ kind: "pass", task: event.task, proof: event.proof.kind });
      },
    });
    return { before: text, after: store.tasks.text, ended, events, delegations, log: work.log, failed: failing.failed };
  };
}

const realityCheck = "# Progress\n\n## Reality Check (BEFORE)\n**Reproduction command**: `project`\n**Exit code**: 1\n";

function isThird(task, { seen, failed }) {
  if (seen.has(task) || [...failed].some((one) => task.startsWith(`${one}.`))) return false;
  seen.add(task);
  return seen.size % 3 === 0;
}

function workplace() {
  const log = [];
  const prompts = [];
  const names = [];
  return {
    log,
    do(task, prompt) {
      prompts.push(bare(prompt));
      names.push(`${task} ${names.length}`);
    },
    shell: {
      run: async (command) => {
        const isGreen = prompts.some((prompt) => prompt.includes(command === "project" ? "" : bare(command)));
        if (command !== "project") log.push({ kind: "command", command, isGreen });
        return { exitCode: isGreen ? 0 : 1, stdout: "", stderr: "", durationMs: 0, timedOut: false };
      },
      exists: async () => true,
    },
    trees: {
      now: async () => names.length.toString(16).padStart(40, "0"),
      changes: async (from, to) =>
        names
          .slice(Number.parseInt(from, 16), Number.parseInt(to, 16))
          .map((name) => ({ path: `src/${name}.ts`, before: null, after: name })),
      read: async (_, paths) => new Map(paths.map((path) => [path, null])),
    },
  };
}

export const bare = (text) => text.replace(/[\s`]/g, "");
