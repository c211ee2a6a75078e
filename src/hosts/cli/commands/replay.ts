import { InputError } from "../../../model/errors.ts";
import { countOf } from "../../../model/text.ts";
import { clipText, escapeText } from "../../../wording/escape-text.ts";
import { type ReplayReport, readReplay } from "../../node/reading/read-replay.ts";
import { command, json, runNumber } from "../command.ts";

export const replay = command({
  options: { run: runNumber, json },
  example: "fixpoint replay my-feature",
  run({ words: [place], given, surroundings, print }) {
    const report = readReplay(place, { workspace: surroundings.folder, run: given.run });
    print(report, () => renderReplay(report));
    if (report.differences.length > 0) throw diverged(report);
  },
});

/** Maximum length of a line, since texts of executors can be long. */
const widest = 400;

function renderReplay({ run, starts, decisions, differences, stateHash, next }: ReplayReport): string {
  const turns = new Set(starts.flatMap((made) => made.map(({ turn }) => turn)).filter((turn) => turn > 0)).size;
  const counts = [
    countOf(starts.length, "start", "starts"),
    countOf(turns, "turn", "turns"),
    `${countOf(decisions, "decision", "decisions")} replayed`,
  ];
  const found = differences.length === 0 ? "none differs" : `${differences.length} of them differ`;
  const lines = [
    `Run ${run}: ${counts.join(", ")}, ${found}; state ${stateHash.slice(0, 12)}`,
    ...(next.length === 0 ? [] : [`Next: ${next.join(", ")}`]),
    ...differences.flatMap(({ record, key, what, expected, recorded }) => [
      `Record ${record}${key === null ? "" : ` (${key})`}: ${what}`,
      `  now      ${expected}`,
      `  recorded ${recorded}`,
    ]),
  ];
  return lines.map((line) => `${clipText(escapeText(line), widest).text}\n`).join("");
}

const diverged = ({ run, differences }: ReplayReport): InputError =>
  new InputError(`This version would decide run ${run} differently, first in record ${differences[0]?.record}`, {
    code: "journal-diverged",
    hint: "The run was recorded by another version, or changed since: this version does not resume it",
  });
