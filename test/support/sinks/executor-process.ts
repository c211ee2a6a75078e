import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commandExecutor } from "../../../src/adapters/command-executor.ts";
import { progressName } from "../../../src/model/file-names.ts";
import { attemptKey } from "../../../src/model/reply.ts";
import { fileSink } from "./file-sink.ts";
import { isRefusal } from "./refusal.ts";

export const executorSink = fileSink("argv and environment of an executor", 10, (folder) => {
  const script = `#!/bin/sh\nprintf '%s\\0' "$#" "$1" "$FIXPOINT_TASK_ID" "\${POLLUTED-unset}"\ncat\n`;
  writeFileSync(join(folder, "probe.sh"), script, { mode: 0o755 });
  const outputFolder = join(folder, "outputs");
  const execute = commandExecutor({ command: "./probe.sh --own", outputFolder, taskTimeoutMs: 20_000 });
  return async (text) => {
    const progressFile = join(folder, progressName(text));
    const key = attemptKey(text, 1);
    const delegation = {
      ...{ key, role: "executor" as const, taskId: text, attempt: 1, prompt: text },
      ...{ workspace: folder, spec: folder, progressFile },
    };
    const reply = await execute(delegation, new AbortController().signal).catch((error) => {
      if (!isRefusal(error)) throw error;
      return null;
    });
    assert.deepEqual(readdirSync(folder).sort(), ["outputs", "probe.sh"]);
    if (reply === null || typeof reply === "string") return;
    const [count, first, id, polluted, ...rest] = reply.text.split("\0");
    // Only the end of a long reply is stored.
    if (text.length > 100_000) return;
    assert.deepEqual([count, first, polluted], ["1", "--own", "unset"]);
    assert.equal(id, Buffer.from(text).toString());
    assert.equal(rest.join("\0"), Buffer.from(text).toString());
  };
});
