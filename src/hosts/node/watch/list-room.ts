import { basename, join, resolve } from "node:path";
import { realFolder } from "../../../adapters/git/find-repository.ts";
import { findCaller } from "../../../adapters/user/speaker.ts";
import { InputError } from "../../../model/errors.ts";
import type { Speaker } from "../../../model/person-event.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import type { ListedSpec } from "../../page/page-data.ts";
import { listPolicy, renderList } from "../../page/render-page.ts";
import { senderOf } from "../consent/own-gate.ts";
import { findSpec, type SpecFolder, specAddress } from "../find-spec.ts";
import { namesOf, placesIn, specsBelow, specsIn } from "../find-specs.ts";
import { giveJson, givePage, turnAway } from "./guard.ts";
import { runRoom } from "./run-room.ts";
import type { Room } from "./serve-page.ts";
import { specState } from "./spec-state.ts";

/**
 * Find what to watch: the named spec or, if a folder of specs is named, all specs in it. Without a name, the result is
 * the active spec, the only spec, or all specs of the workspace.
 *
 * @param given As typed.
 * @param from The current folder, absolute.
 * @throws What `findSpec` throws, if the folder has no specs either.
 * @throws {InputError} `own-gate` if one of these runs has started this process
 */
export function findWatched(given: string | undefined, from: string): SpecFolder | ListOptions {
  try {
    return findSpec(given, from, "watch");
  } catch (error) {
    const code = error instanceof InputError ? error.code : null;
    if (code !== "spec-not-named" && code !== "tasks-missing") throw error;
    const [place = from, ...others] = placesIn(from);
    const common = others.length === 0 ? place : from;
    const folders = given === undefined ? [common] : [resolve(from, given), resolve(from, "specs", given)];
    for (const folder of folders) {
      const specs = given === undefined ? specsIn(from) : specsBelow(folder);
      const caller = findCaller();
      const [by] = specs.map((spec) => senderOf(placeOf(spec), "watch", caller));
      if (by !== undefined) return { folder: realFolder(folder), specs, by, from };
    }
    throw error;
  }
}

const placeOf = (folder: string) => ({ name: basename(folder), folder, dataFolder: join(folder, ".fixpoint") });

export interface ListOptions {
  /** Absolute, without links. */
  readonly folder: string;
  readonly specs: readonly string[];
  readonly by: Speaker;
  /** The current folder, to which command lines refer. */
  readonly from: string;
}

export function listRoom({ folder, specs, by, from }: ListOptions): Room {
  const page = { text: renderList(), policy: `${listPolicy}; frame-ancestors 'none'` };
  const rooms = new Map<number, Room>();
  const names = namesOf(specs, folder).map(escapeText);

  const roomAt = (place: number): Room | null => {
    const known = rooms.get(place);
    const spec = specs[place];
    if (known !== undefined || spec === undefined) return known ?? null;
    const found = findSpec(spec, from, "watch");
    const room = runRoom(found, { by, address: specAddress(found, { from }) });
    rooms.set(place, room);
    return room;
  };
  return {
    answer: async (asked, request, response) => {
      const { place, path } = asked;
      if (place !== null) {
        const room = roomAt(place);
        return room === null ? turnAway(response, 404) : await room.answer(asked, request, response);
      }
      if (path === "/") return givePage(response, page);
      if (path === "/specs") {
        const listed = specs.map((spec, at): ListedSpec => ({ name: names[at] ?? "", ...specState(spec) }));
        return giveJson(response, { folder: escapeText(basename(folder)), specs: listed });
      }
      return turnAway(response, 404);
    },
    end: () => {
      for (const room of rooms.values()) room.end();
    },
  };
}
