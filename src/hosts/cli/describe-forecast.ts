import { resolve } from "node:path";
import { renderForecast } from "../../wording/render-statistics.ts";
import { findSpec } from "../node/find-spec.ts";
import { readForecast } from "../node/reading/read-statistics.ts";
import { callAddress } from "./call-address.ts";
import { type OptionValues, renderJson, type Surroundings } from "./cli-command.ts";
import { nobody } from "./open-file-run.ts";
import { readRunFlags } from "./options/run-flags.ts";
import { prepareRun } from "./prepare-run.ts";

/**
 * Print a forecast of a run with the options of a call, and start nothing.
 *
 * @returns The exit code.
 * @throws {InputError} the errors of reading options, config and spec
 */
export async function describeForecast(
  spec: string | undefined,
  values: OptionValues,
  { folder, terminal }: Pick<Surroundings, "folder" | "terminal">,
): Promise<number> {
  const said = readRunFlags(values);
  const found = findSpec(spec, resolve(folder, said.cwd ?? "."), "run --plan");
  const address = callAddress(found, values, folder);
  const { options, reporter } = await prepareRun(found, said, { folder, address, standIn: nobody });
  const forecast = readForecast(found, options);
  terminal.out(reporter === "json" ? `${renderJson(forecast)}\n` : renderForecast(forecast));
  return 0;
}
