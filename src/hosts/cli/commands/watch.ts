import { once } from "node:events";
import { countOf } from "../../../model/count-of.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import type { SpecFolder } from "../../node/find-spec.ts";
import { readFilm } from "../../node/reading/read-film.ts";
import { specAddress } from "../../node/spec-address.ts";
import { findWatched } from "../../node/watch/find-watched.ts";
import { servePage } from "../../node/watch/serve-page.ts";
import { serveRun } from "../../node/watch/serve-run.ts";
import { type TableOptions, tableRoom } from "../../node/watch/table-room.ts";
import type { CliCommand } from "../cli-command.ts";
import type { Surroundings } from "../terminal.ts";

/** Serve the page of a spec, or of all specs below a folder, until it is interrupted. */
export const watch: CliCommand = {
  options: [],
  example: "fixpoint watch my-feature",
  async run(given, _values, surroundings) {
    const { terminal, folder, signal } = surroundings;
    const watched = findWatched(given, folder);
    const page = "specs" in watched ? await serveTable(watched) : await serveOne(watched, surroundings);
    const what =
      "specs" in watched ? `${countOf(watched.specs.length, "spec", "specs")} in ${watched.folder}` : watched.name;
    terminal.out(`Watch ${escapeText(what)}: open file://${page.path}\n`);
    try {
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await page.close();
    }
    return 0;
  },
};

async function serveOne(spec: SpecFolder, { folder }: Surroundings) {
  const address = specAddress(spec, { from: folder });
  const by = senderOf(spec, "watch");
  // What cannot be shown is said here rather than in the browser.
  readFilm(spec.folder, { address });
  return await serveRun(spec, { by, address });
}

/** The file that leads to it is kept with the first spec: a folder of specs may hold the user's own folders, too. */
const serveTable = async (table: TableOptions) => await servePage(table.specs[0] ?? table.folder, tableRoom(table));
