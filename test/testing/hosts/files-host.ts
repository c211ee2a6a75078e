import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSpec } from "../../../src/hosts/node/run-spec.ts";
import { createRunControl } from "../../../src/runtime/run-control.ts";
import type { Host, HostResult } from "../../../src/testing/host.ts";
import { actOn, editedBy, replyOf } from "../../../src/testing/host.ts";

export const filesHost: Host = async (task) => {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-host-"));
  const path = (name: string): string => join(folder, name);
  const read = (name: string): string => {
    try {
      return readFileSync(path(name), "utf8");
    } catch {
      return "";
    }
  };
  const delegated: HostResult["delegated"][number][] = [];
  const control = createRunControl();
  try {
    writeFileSync(path("tasks.md"), task.tasks);
    for (const [name, results] of Object.entries(task.checks ?? {})) {
      results.forEach(({ exitCode, stdout }, run) => {
        writeFileSync(path(`${name}-${run}`), `cat <<'END'\n${stdout}END\nexit ${exitCode}\n`);
      });
    }
    writeFileSync(path("check"), checkScript, { mode: 0o755 });
    const { outcome } = await runSpec({
      ...{ spec: folder, workspace: folder, policy: task.policy, control, yes: true },
      executors: {
        executor: async (delegation) => {
          const { key, prompt } = delegation;
          delegated.push({ key, prompt });
          for (const event of task.words?.[key] ?? []) control.send(event);
          const act = actOn(task, delegation);
          const { edits = [] } = act;
          if (edits.length > 0) writeFileSync(path("tasks.md"), editedBy(act, read("tasks.md")));
          return replyOf(act);
        },
      },
    });
    return { outcome, tasks: read("tasks.md"), progress: read(".progress.md"), delegated, kills: 0 };
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const checkScript = `#!/bin/sh
run=0
while [ -e "ran-$1-$run" ]; do run=$((run + 1)); done
: > "ran-$1-$run"
[ ! -e "$1-$run" ] || . "./$1-$run"
`;
