import { basename, join, resolve } from "node:path";
import { realFolder } from "../../../adapters/git/find-repository.ts";
import { findCaller } from "../../../adapters/user/speaker.ts";
import { InputError } from "../../../model/errors.ts";
import { senderOf } from "../consent/own-gate.ts";
import { findSpec, type SpecFolder } from "../find-spec.ts";
import { findSpecs } from "../find-specs.ts";
import type { TableOptions } from "./table-room.ts";

/**
 * What a person wants to watch: the spec that they name, or all below the folder that they name, if it is no spec itself.
 * Without a name it is the active spec, or the only one there is, else all in `specs`.
 *
 * @param given As it was typed.
 * @param from The current folder, absolute.
 * @throws What `findSpec` throws, where there are no specs below either.
 * @throws {InputError} `own-gate` inside a call of one of these runs
 */
export function findWatched(given: string | undefined, from: string): SpecFolder | TableOptions {
  try {
    return findSpec(given, from, "watch");
  } catch (error) {
    const code = error instanceof InputError ? error.code : null;
    if (code !== "spec-not-named" && code !== "tasks-missing") throw error;
    const places = given === undefined ? ["specs"] : [given, join("specs", given)];
    for (const place of places) {
      const folder = resolve(from, place);
      const specs = specsBelow(folder);
      const caller = findCaller();
      const [by] = specs.map((spec) => senderOf(placeOf(spec), "watch", caller));
      if (by !== undefined) return { folder: realFolder(folder), specs, by, from };
    }
    throw error;
  }
}

const placeOf = (folder: string) => ({ name: basename(folder), folder, dataFolder: join(folder, ".fixpoint") });

function specsBelow(folder: string): readonly string[] {
  try {
    return findSpecs(folder);
  } catch {
    return [];
  }
}
