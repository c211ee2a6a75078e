import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlanningConfig, readStateLimits } from "../../../src/adapters/settings/settings-file.ts";
import { readConfig } from "../../../src/hosts/cli/options/config.ts";
import { renderError } from "../../../src/hosts/cli/render-error.ts";
import { assertPrintable } from "./assert-printable.ts";
import { fileSink } from "./file-sink.ts";
import { isRefusal } from "./refusal.ts";

export const settingsSink = fileSink("files of settings", 1, (folder) => {
  mkdirSync(join(folder, ".planning"));
  return async (text) => {
    const texts = [
      text,
      JSON.stringify({ [text]: text }),
      JSON.stringify({ workflow: { node_repair: text } }),
      JSON.stringify({ scope: text, exec: text, executor: text, stuckReport: text }),
      JSON.stringify({ lint: { [text]: "error" } }),
      `failure_recovery:\n  max_pivot_attempts: ${text}\n`,
    ];
    for (const content of texts) {
      writeFileSync(join(folder, ".planning", "config.json"), content);
      writeFileSync(join(folder, "fixpoint.config.json"), content);
      writeFileSync(join(folder, "state.yaml"), content);
      await assertRefusedOrRead(async () => readPlanningConfig(folder));
      await assertRefusedOrRead(() => readStateLimits(folder, folder));
      await assertRefusedOrRead(() => readConfig([folder]));
    }
    assert.deepEqual(Object.keys(Object.prototype), []);
  };
});

async function assertRefusedOrRead(read: () => Promise<unknown>): Promise<void> {
  try {
    await read();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    assertPrintable(renderError(error).text.replaceAll("\t", ""));
  }
}
