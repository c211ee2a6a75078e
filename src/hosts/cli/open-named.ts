import { resolve } from "node:path";
import type { SpecAddress } from "../../model/command-line.ts";
import { findSpec, type SpecFolder, specAddress } from "../node/find-spec.ts";

interface Opened {
  readonly spec: SpecFolder;
  readonly address: SpecAddress;
}

/**
 * Look at a spec of this machine or, with the address of a queue, at what a fleet holds of one of its runs.
 *
 * @param named The spec, or the name of the run.
 * @param open Opens a spec of this machine.
 */
export async function withNamed<Result>(
  {
    queue,
    named,
    folder,
  }: { readonly queue: string | undefined; readonly named: string | undefined; readonly folder: string },
  open: () => Opened,
  look: (opened: Opened) => Promise<Result> | Result,
): Promise<Result> {
  if (queue === undefined) return look(open());
  const { openFleetRun } = await import("../dbos/open-run.ts");
  const run = await openFleetRun(queue, named ?? "");
  try {
    const spec = findSpec(resolve(folder, run.folder), folder);
    return await look({ spec, address: specAddress(spec, { from: folder }) });
  } finally {
    run.close();
  }
}
