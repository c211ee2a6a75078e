import { relative, resolve } from "node:path";
import { adviceOf, type SpecAddress } from "../../../model/command-line.ts";
import { FixpointError } from "../../../model/errors.ts";
import type { RunEnded } from "../../../model/event.ts";
import { findSpec, type SpecFolder } from "../../node/find-spec.ts";
import { namesOf, treeOf, workspaceFor } from "../../node/find-specs.ts";
import { callAddress } from "../call-address.ts";
import type { OptionValues } from "../cli-command.ts";
import { typedOptions } from "../options/typed-options.ts";
import { type PreparedRun, prepareRun, type SaidOfRun } from "../prepare-run.ts";

/** How the run of one of many specs ended: with an outcome, or with an error that was thrown. */
type EndOfOne = { readonly ended: RunEnded } | { readonly error: unknown };

/** One of many specs that are run. */
export interface FoundRun {
  /** What tells it from the others: its name, or its path where another has the same. */
  readonly label: string;
  /** Null when its folder cannot be used as a spec. */
  readonly spec: SpecFolder | null;
  readonly address: SpecAddress;
  /** What it is told; null when it cannot be run. */
  readonly prepared: PreparedRun | null;
  /** Runs with the same are not to change files side by side. */
  readonly lane: string;
  /** Null as long as it has not ended, or was never begun. */
  end: EndOfOne | null;
}

/** What the specs are looked for with. */
interface Search {
  /** The folder they were found below, absolute. */
  readonly top: string;
  /** The current folder. */
  readonly folder: string;
  readonly said: SaidOfRun;
  readonly values: OptionValues;
}

/** Put together what each of these specs is told. What keeps one from being run is its end. */
export const gatherRuns = async (specs: readonly string[], search: Search): Promise<FoundRun[]> => {
  const labels = namesOf(specs, search.top);
  return await Promise.all(specs.map((spec, at) => gatherRun(spec, labels[at] ?? spec, search)));
};

async function gatherRun(folder: string, label: string, search: Search): Promise<FoundRun> {
  const { said, values } = search;
  const workspace = resolve(search.folder, said.given.cwd ?? workspaceFor(folder, search.top));
  const found = { label, lane: workspace, prepared: null, end: null };
  const ofOne: OptionValues = { ...values, all: undefined, jobs: undefined };
  let address = callAddress(null, ofOne, search.folder);
  let spec: SpecFolder | null = null;
  try {
    spec = findSpec(folder, search.folder);
    address = callAddress(spec, { ...ofOne, cwd: shorter(search.folder, workspace) }, search.folder);
    const prepared = await prepareRun(spec, said, { folder: workspace, current: search.folder, address });
    const { workspace: place, shareWorkspace } = prepared.options;
    return { ...found, spec, address, prepared, lane: shareWorkspace === true ? folder : treeOf(place) };
  } catch (error) {
    return { ...found, spec, address, end: { error: withAdvice(error, address, ofOne) } };
  }
}

/** A workspace as it is typed with `--cwd`; undefined for the current folder. */
function shorter(folder: string, workspace: string): string | undefined {
  const way = relative(folder, workspace);
  if (way === "") return undefined;
  return way.startsWith("..") ? workspace : way;
}

/** An error as whoever typed the call is told of it: each way past it as the line that runs this spec alone. */
export function withAdvice(error: unknown, address: SpecAddress, values: OptionValues): unknown {
  if (!(error instanceof FixpointError) || error.ways.length === 0) return error;
  return Object.assign(error, { hint: adviceOf(error, { ...address, options: typedOptions(values, false) }) });
}
