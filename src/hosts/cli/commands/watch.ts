import { setTimeout as sleep } from "node:timers/promises";
import { escapeText } from "../../../wording/escape-text.ts";
import { senderOf } from "../../node/consent/own-gate.ts";
import { findSpec } from "../../node/find-spec.ts";
import { readFilm } from "../../node/reading/read-film.ts";
import { specAddress } from "../../node/spec-address.ts";
import { servePage } from "../../node/watch/serve-page.ts";
import type { CliCommand } from "../cli-command.ts";

/** Serve the page of a spec until it is interrupted. */
export const watch: CliCommand = {
  options: [],
  example: "fixpoint watch my-feature",
  async run(given, _values, { terminal, folder, signal }) {
    const spec = findSpec(given, folder, "watch");
    const address = specAddress(spec, { from: folder });
    const by = senderOf(spec, "watch");
    // What cannot be shown is said here rather than in the browser.
    readFilm(spec.folder, { address });
    const page = await servePage(spec, { by, address });
    terminal.out(`Watch ${escapeText(spec.name)}: open file://${page.path}\n`);
    try {
      while (!signal.aborted) {
        await sleep(500, undefined, { signal }).catch(() => {});
      }
    } finally {
      await page.close();
    }
    return 0;
  },
};
