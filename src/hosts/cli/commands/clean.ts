import { escapeText } from "../../../wording/escape-text.ts";
import { cleanRuns, tellRemoved } from "../../node/cleanup/old-runs.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import type { CliCommand } from "../cli-command.ts";
import { keepRunsFlag, readKeepRuns } from "../options/shared-flags.ts";

/** Remove what is kept of old runs of a spec; the latest always stays. */
export const clean: CliCommand = {
  options: [{ ...keepRunsFlag, summary: "how many runs to keep, the latest included (default: 1)" }],
  example: "fixpoint clean my-feature --keep-runs 3",
  async run(spec, values, { terminal, folder }) {
    const found = findSpec(spec, folder, "clean");
    senderOf(found, "clean");
    const keep = readKeepRuns(values) ?? 1;
    const removed = cleanRuns(found, keep);
    const { runs } = removed;
    const told =
      runs.length === 0
        ? `Nothing to remove: ${found.name} has no more than ${keep === 1 ? "its latest run" : `${keep} runs`}`
        : `${tellRemoved(removed)}: ${runs.join(", ")}`;
    terminal.out(`${escapeText(told)}\n`);
    return 0;
  },
};
