import * as z from "zod";
import { exportPage, exportSummary } from "../../node/reading/export-page.ts";
import { command, queue, runNumber, withNamed } from "../command.ts";
import { flag } from "../options/read-flag.ts";

const formats = { html: exportPage, md: exportSummary } as const;

export const exportRun = command({
  options: {
    format: flag(
      z.enum(["html", "md"]),
      "--format <format>",
      "html: a page with every step and the evidence; md: a summary",
      { unset: "html" },
    ),
    run: runNumber,
    queue,
  },
  example: "fixpoint export my-feature > run.html",
  async run({ words: [named], given: { format = "html", run, queue: from }, open, surroundings }) {
    const place = { queue: from, named, folder: surroundings.folder };
    await withNamed(
      place,
      () => open(named, "export"),
      async ({ spec, address }) => surroundings.terminal.out(await formats[format](spec.folder, { run, address })),
    );
  },
});
