import { basename } from "node:path";
import { gzipSync } from "node:zlib";
import { commandLine } from "../../../model/command-line.ts";
import { InputError } from "../../../model/errors.ts";
import { replayRecords } from "../../../run/previous-start.ts";
import { renderRunReport } from "../../../wording/render-run-report.ts";
import type { WholeRun } from "../../page/page-data.ts";
import { renderPage } from "../../page/render-page.ts";
import { specAddress } from "../find-spec.ts";
import { readRun } from "../read-run.ts";
import { pageRunOf, withoutOutput } from "./page-run.ts";
import { withChanged } from "./read-changed.ts";
import { readAllPrinted } from "./read-printed.ts";
import { readStatus, type StatusOptions } from "./read-status.ts";
import { holderElsewhere, holderOf, startsIn } from "./recorded-starts.ts";

/**
 * Render a run as one self-contained HTML document: every step and, as far as there is room, the evidence.
 *
 * @param folder Folder of the spec.
 * @throws {InputError} `journal-missing` when the spec was never run; `tasks-missing`, `run-missing`, `plan-too-large`,
 * `plan-too-deep`, `journal-corrupt`, `journal-newer`, `journal-older`
 * @throws {EnvironmentError} `file-refused`
 */
export async function exportPage(folder: string, options: StatusOptions = {}): Promise<string> {
  const { run, address = specAddress({ folder, name: basename(folder) }) } = options;
  const { plan, journal, isLatest, dataFolder } = readRun(folder, run, address);
  const state = replayRecords(journal);
  if (state === null) throw neverRun(folder, options);
  const held = isLatest && holderOf({ dataFolder }) !== null;
  const alive = held || (isLatest && holderElsewhere({ dataFolder }) !== null);
  const { printed, left } = readAllPrinted(journal.records, state, { dataFolder, run: journal.run });
  const whole: WholeRun = {
    head: pageRunOf({ folder, run: journal.run, address, segments: journal.segments, plan }),
    starts: startsIn(journal).map((start) => ({ ...start, records: start.records.map(withoutOutput) })),
    atWork: { held, alive },
    left: left === 0 ? [] : [`The outputs of ${left} attempts are omitted: this page has room for 4 MiB`],
  };
  const spec = { name: basename(folder), folder, dataFolder };
  const evidence = await withChanged({ spec, address, folder, run: journal.run }, printed);
  return renderPage({ run: packed(whole), printed: packed(evidence) });
}

function neverRun(folder: string, { address }: StatusOptions): InputError {
  const name = basename(folder);
  return new InputError(`Cannot export \`${name}\`, expected a spec that was run`, {
    code: "journal-missing",
    hint: `Run it first: ${commandLine(address ?? specAddress({ folder, name }), "run")}`,
  });
}

const packed = (data: unknown): string => gzipSync(JSON.stringify(data)).toString("base64");

/**
 * Render a run as markdown, for the page of a job or a pull request.
 *
 * @param folder Folder of the spec.
 * @throws What `readStatus` throws.
 */
export const exportSummary = (folder: string, options: StatusOptions = {}): string =>
  renderRunReport(readStatus(folder, options));
