import { once } from "node:events";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { type SpecFolder, specAddress } from "../../node/find-spec.ts";
import { readRun } from "../../node/read-run.ts";
import { findWatched, type ListOptions, listRoom } from "../../node/watch/list-room.ts";
import { serveRun } from "../../node/watch/run-room.ts";
import { servePage } from "../../node/watch/serve-page.ts";
import type { Surroundings } from "../cli-command.ts";
import { command } from "../command.ts";

/** Serve the page of a spec, or of all specs below a folder, until interrupted. */
export const watch = command({
  options: {},
  example: "fixpoint watch my-feature",
  async run({ words: [given], surroundings }) {
    const { terminal, folder, signal } = surroundings;
    const watched = findWatched(given, folder);
    const page = "specs" in watched ? await serveList(watched) : await serveOne(watched, surroundings);
    const what =
      "specs" in watched ? `${countOf(watched.specs.length, "spec", "specs")} in ${watched.folder}` : watched.name;
    terminal.out(`Watch ${escapeText(what)}: open file://${page.path}\n`);
    try {
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await page.close();
    }
  },
});

async function serveOne(spec: SpecFolder, { folder }: Surroundings) {
  const address = specAddress(spec, { from: folder });
  const by = senderOf(spec, "watch");
  // Fail here rather than in the browser if the run cannot be shown.
  readRun(spec.folder, undefined, address);
  return await serveRun(spec, { by, address });
}

/**
 * Serve a list of specs. The file with the address is kept with the first spec, since a folder of specs may hold other
 * files of the user.
 */
const serveList = async (list: ListOptions) => await servePage(list.specs[0] ?? list.folder, listRoom(list));
