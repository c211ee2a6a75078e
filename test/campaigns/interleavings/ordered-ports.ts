import type { Documents } from "../../../src/ports/documents.ts";
import type { Git } from "../../../src/ports/git.ts";
import type { Clock, PersonAnswer, Ports } from "../../../src/ports/ports.ts";
import type { MemoryStore } from "../../../src/testing/memory-store.ts";
import { scriptedShell, stillClock } from "../../../src/testing/scripted-ports.ts";
import { createWatch, scenarioExecutor, type Watch } from "./executors.ts";
import type { Order } from "./order.ts";
import type { Scenario } from "./scenario.ts";

export function orderedPorts(
  scenario: Scenario,
  order: Order,
  store: MemoryStore,
  watch: Watch = createWatch(),
): Ports {
  const execute = scenarioExecutor(scenario, order, store, watch);
  const answers = [...scenario.answers];
  return {
    executors: { executor: execute, verifier: execute, ...(scenario.findings !== null && { reviewer: execute }) },
    documents: orderedDocuments(store, order),
    shell: orderedShell(scenario, order),
    git: orderedGit(order),
    clock: orderedClock(order),
    consent: async () => {
      await order.turn("consent");
      return { given: true };
    },
    person: async () => {
      await order.turn("a person answers");
      const answer = answers.shift();
      if (answer === undefined) return null;
      const told: PersonAnswer =
        answer === "advice" ? { kind: "guided", text: "Try again" } : { kind: "decided", decision: answer };
      return told;
    },
    fileState: async () => {
      await order.turn("fileState");
      return null;
    },
    workspace: "/work",
    spec: "/work/specs/sample",
  };
}

function orderedDocuments(store: MemoryStore, order: Order): Documents {
  const ordered =
    <Given extends readonly unknown[], Result>(name: string, method: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      await order.turn(name);
      const result = await method(...given);
      await order.turn(`${name} is done`);
      return result;
    };
  return {
    read: ordered("read", store.read),
    insert: ordered("insert", store.insert),
    tick: ordered("tick", store.tick),
    close: ordered("close", store.close),
    change: ordered("change", store.change),
    rewrite: ordered("rewrite", store.rewrite),
    artifact: ordered("artifact", store.artifact),
    progress: ordered("progress", store.progress),
    merge: ordered("merge", store.merge),
    append: ordered("append", store.append),
    summarize: ordered("summarize", store.summarize),
    report: ordered("report", store.report),
  };
}

function orderedShell({ tasks, fates }: Scenario, order: Order): Ports["shell"] {
  const denials = fates.map((attempts, index) => {
    const command = `check ${index < tasks.length ? `1.${index + 1}` : "2.1"}`;
    return [command, attempts.filter((fate) => fate === "denied").map(() => ({ exitCode: 1, stderr: "no" }))] as const;
  });
  const shell = scriptedShell(Object.fromEntries(denials));
  return {
    run: async (command, options, signal) => {
      await order.turn(`run ${command}`);
      return shell.run(command, options, signal);
    },
    exists: async (word) => {
      await order.turn(`exists ${word}`);
      return shell.exists(word);
    },
  };
}

function orderedGit(order: Order): Git {
  const nothing = async (): Promise<null> => {
    await order.turn("git");
    return null;
  };
  return { head: nothing, mark: nothing, since: nothing, commit: nothing };
}

function orderedClock(order: Order): Clock {
  const clock = stillClock();
  return {
    now: clock.now,
    sleepUntil: async (time, signal) => {
      await order.turn(`sleep until ${time}`);
      signal.throwIfAborted();
      await clock.sleepUntil(time, signal);
    },
  };
}
