import { statSync } from "node:fs";
import { resolve } from "node:path";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderStatistics } from "../../../wording/render-statistics.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readStatistics } from "../../node/reading/read-statistics.ts";
import { command, json } from "../command.ts";

export const stats = command({
  options: { json },
  example: "fixpoint stats specs",
  run({ words: [named = "."], surroundings: { folder, terminal }, print }) {
    const path = resolve(folder, named);
    const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
    const found = readStatistics(isFolder ? path : findSpec(named, folder, "stats").folder);
    for (const { run, reason } of found.unread) terminal.err(`notice: ${escapeText(`${run} is skipped: ${reason}`)}\n`);
    print(found, () => renderStatistics(found));
  },
});
