import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readRun } from "../../src/adapters/journal/read-journal.ts";
import { stateVersion } from "../../src/model/run-state.ts";
import { apply } from "../../src/run/apply.ts";
import { newRun } from "../../src/run/new-run.ts";
import { stableJson } from "../../src/runtime/stable-json.ts";
import { journals } from "../support/journals/alter-journal.ts";

const advice = `The state that records lead to has changed: raise \`stateVersion\` in run-state.ts, so that no start resumes from a
snapshot of an older version. If only the recorded journals were made anew, update the hash alone.`;

it("the version of the state is raised if recorded journals lead to another state", () => {
  const states = readdirSync(journals).map((name) => {
    const segments = readRun(join(journals, name));
    const { seed } = segments[0]?.header ?? {};
    const state = newRun(null, seed);
    for (const record of segments.flatMap(({ records }) => records)) apply(state, record);
    return stableJson(state);
  });
  const hash = createHash("sha256").update(states.join("\n")).digest("hex").slice(0, 16);
  expect({ stateVersion, hash }, advice).toEqual({ stateVersion: 34, hash: "5bee838d081bf67e" });
});
