import { removeOldRuns } from "../../../adapters/old-runs.ts";
import { readFreeJournal } from "../../../adapters/read-free-journal.ts";
import { findSpec } from "../../node/find-spec.ts";
import { tellRemoved } from "../../node/tell-removed.ts";
import type { CliCommand } from "../cli-command.ts";
import { escapeText } from "../escape-text.ts";
import { keepRunsFlag, readKeepRuns } from "../keep-runs-flag.ts";

/** Remove what is kept of old runs of a spec; the latest always stays. */
export const clean: CliCommand = {
  options: [{ ...keepRunsFlag, summary: "how many runs to keep, the latest included (default: 1)" }],
  example: "fixpoint clean my-feature --keep-runs 3",
  async run(spec, words, { terminal, folder }) {
    const { name, dataFolder } = findSpec(spec, folder, "clean");
    const keep = readKeepRuns(words) ?? 1;
    const { run } = readFreeJournal(dataFolder, { abridged: true, takeOver: false });
    const removed = removeOldRuns(dataFolder, run, keep);
    const { runs } = removed;
    const told =
      runs.length === 0
        ? `Nothing to remove: ${name} has no more than ${keep === 1 ? "its latest run" : `${keep} runs`}`
        : `${tellRemoved(removed)}: ${runs.join(", ")}`;
    terminal.out(`${escapeText(told)}\n`);
    return 0;
  },
};
