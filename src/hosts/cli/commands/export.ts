import { InputError } from "../../../model/errors.ts";
import { findSpec } from "../../node/find-spec.ts";
import { exportPage } from "../../node/reading/export-page.ts";
import { exportSummary } from "../../node/reading/export-summary.ts";
import { specAddress } from "../../node/spec-address.ts";
import type { CliCommand } from "../cli-command.ts";
import { readRunNumber, runNumberFlag } from "../options/shared-flags.ts";

const formats = { html: exportPage, md: exportSummary } as const;

/** A run as one document, for those who were not there. */
export const exportRun: CliCommand = {
  options: [
    {
      flags: "--format <format>",
      summary: "html: a page with every step and the evidence; md: a summary (default: html)",
    },
    runNumberFlag,
  ],
  example: "fixpoint export my-feature > run.html",
  async run(place, values, { terminal, folder }) {
    const { format = "html" } = values;
    if (format !== "html" && format !== "md") {
      throw new InputError(`Invalid --format \`${String(format)}\`, expected html or md`, { code: "bad-option" });
    }
    const found = findSpec(place, folder, "export");
    const address = specAddress(found, { from: folder });
    terminal.out(formats[format](found.folder, { run: readRunNumber(values), address }));
    return 0;
  },
};
