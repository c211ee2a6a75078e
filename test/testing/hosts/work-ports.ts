import type { PersonEvent } from "../../../src/model/person-event.ts";
import type { Executor } from "../../../src/ports/executor.ts";
import type { Ports } from "../../../src/ports/ports.ts";
import type { HostResult } from "../../../src/testing/host.ts";
import { actOn, checkResult, editedBy, type HostTask, replyOf } from "../../../src/testing/host.ts";
import type { MemoryStore } from "../../../src/testing/memory-store.ts";
import { stillClock } from "../../../src/testing/scripted-ports.ts";

export function workPorts(
  task: HostTask,
  store: MemoryStore,
  say: (event: PersonEvent) => void,
  runs: Iterable<readonly [command: string, times: number]> = [],
) {
  const delegated: HostResult["delegated"][number][] = [];
  const ran = new Map<string, number>(runs);
  const executor: Executor = async (delegation) => {
    const { key, prompt } = delegation;
    delegated.push({ key, prompt });
    for (const event of task.words?.[key] ?? []) say(event);
    const act = actOn(task, delegation);
    store.tasks.text = editedBy(act, store.tasks.text);
    return replyOf(act);
  };
  const ports: Ports = {
    executors: { executor },
    documents: store,
    clock: stillClock(),
    workspace: "/work",
    spec: "/work/specs/sample",
    shell: {
      run: async (command) => {
        const earlier = ran.get(command) ?? 0;
        ran.set(command, earlier + 1);
        return checkResult(task, command, earlier);
      },
      exists: async () => true,
    },
  };
  return { ports, delegated, ran };
}
