import { once } from "node:events";
import { countOf } from "../../../model/text.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec, type SpecFolder, specAddress } from "../../node/find-spec.ts";
import { readRun } from "../../node/read-run.ts";
import { findWatched, type ListOptions, listRoom } from "../../node/watch/list-room.ts";
import { serveRun } from "../../node/watch/run-room.ts";
import { type ServedPage, servePage } from "../../node/watch/serve-page.ts";
import type { Surroundings } from "../cli-command.ts";
import { command, queue } from "../command.ts";

export const watch = command({
  options: { queue },
  example: "fixpoint watch my-feature",
  async run({ words: [given], given: { queue: from }, surroundings }) {
    const { terminal, signal } = surroundings;
    const { page, what } = await (from === undefined ? serveHere(given, surroundings) : serveFleet(from, given ?? ""));
    terminal.out(`Watch ${escapeText(what)}: open file://${page.path}\n`);
    try {
      if (!signal.aborted) await once(signal, "abort");
    } finally {
      await page.close();
    }
  },
});

interface Served {
  readonly page: ServedPage;
  readonly what: string;
}

async function serveHere(given: string | undefined, surroundings: Surroundings): Promise<Served> {
  const watched = findWatched(given, surroundings.folder);
  if (!("specs" in watched)) return { page: await serveOne(watched, surroundings), what: watched.name };
  const what = `${countOf(watched.specs.length, "spec", "specs")} in ${watched.folder}`;
  return { page: await serveList(watched), what };
}

async function serveFleet(queue: string, run: string): Promise<Served> {
  const { followFleetRun } = await import("../../dbos/open-run.ts");
  const { folder, address, by, close, ...fleet } = await followFleetRun(queue, run);
  try {
    const page = await serveRun(findSpec(folder, folder), { by, address, fleet });
    const closeBoth = async (): Promise<void> => {
      try {
        await page.close();
      } finally {
        await close();
      }
    };
    return { page: { ...page, close: closeBoth }, what: run };
  } catch (error) {
    await close();
    throw error;
  }
}

async function serveOne(spec: SpecFolder, { folder }: Surroundings) {
  const address = specAddress(spec, { from: folder });
  const by = senderOf(spec, "watch");
  // Read the run now, so that an error appears in the terminal instead of the browser.
  readRun(spec.folder, undefined, address);
  return await serveRun(spec, { by, address });
}

/**
 * Serve a list of specs. The file with the address is stored with the first spec, since a folder of specs may contain
 * other files of the user.
 */
const serveList = async (list: ListOptions) => await servePage(list.specs[0] ?? list.folder, listRoom(list));
