import { deepEqual, equal } from "node:assert/strict";
import type { HostCheck } from "./host.ts";
import { drive, fails } from "./host-runs.ts";

/** Requirements for every host that receives messages from people. */
export const hostPeople: readonly HostCheck[] = [
  {
    name: "puts advice given while an agent works into the next prompt",
    needs: "hears people",
    run: async (host) => {
      const { outcome, delegated } = await drive(host, {
        acts: { "1.1": fails("1.1", "boom") },
        words: { "1.1#1": [{ type: "guidance.given", text: "Use the other library" }] },
      });
      equal(outcome, "complete");
      const advised = delegated.filter(({ prompt }) => prompt.includes("Use the other library"));
      deepEqual(
        advised.map(({ key }) => key),
        ["1.1#2"],
      );
    },
  },
  {
    name: "starts nothing after a person has cancelled",
    needs: "is cancelled",
    run: async (host) => {
      const { outcome, keys } = await drive(host, { words: { "1.1#1": [{ type: "cancel" }] } });
      equal(outcome, "cancelled");
      deepEqual(keys, ["1.1#1"]);
    },
  },
  {
    name: "continues after a pause, once the current work has ended",
    needs: "hears people",
    run: async (host) => {
      const words = { "1.1#1": [{ type: "pause" }, { type: "resume" }] as const };
      const { outcome, keys } = await drive(host, { words });
      equal(outcome, "complete");
      deepEqual(keys, ["1.1#1", "1.2#1"]);
    },
  },
];
