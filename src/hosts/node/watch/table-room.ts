import { basename } from "node:path";
import type { Speaker } from "../../../model/speaker.ts";
import { escapeText } from "../../../wording/escape-text.ts";
import { renderTable, tablePolicy } from "../../page/render-table.ts";
import { findSpec } from "../find-spec.ts";
import { namesOf } from "../find-specs.ts";
import { specAddress } from "../spec-address.ts";
import { type RowFacts, rowOf } from "./look-at-row.ts";
import { giveJson, givePage, turnAway } from "./respond.ts";
import { runRoom } from "./run-room.ts";
import type { Room } from "./serve-page.ts";

/** The specs of a folder, and who looks at them. */
export interface TableOptions {
  /** Absolute, without links. */
  readonly folder: string;
  /** Their folders, below that one. */
  readonly specs: readonly string[];
  readonly by: Speaker;
  /** The current folder, from which command lines name a spec. */
  readonly from: string;
}

/** How long one request looks at specs: those that are left are looked at by the next. */
const lookMs = 100;

/** Answers for a table of runs, and for the page of each of them. */
export function tableRoom({ folder, specs, by, from }: TableOptions): Room {
  const page = { text: renderTable(), policy: `${tablePolicy}; frame-ancestors 'none'` };
  const rooms = new Map<number, Room>();
  const rowsSince = growTable(folder, specs);

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
      const { place, path, query } = asked;
      if (place !== null) {
        const room = roomAt(place);
        return room === null ? turnAway(response, 404) : await room.answer(asked, request, response);
      }
      if (path === "/") return givePage(response, page);
      if (path === "/rows") return giveJson(response, rowsSince(Number(query.get("seen") ?? "0")));
      return turnAway(response, 404);
    },
    end: () => {
      for (const room of rooms.values()) room.end();
    },
  };
}

/** Looks at the specs in turn. Answers those that have changed since what a viewer has seen. */
function growTable(folder: string, specs: readonly string[]): (seen: number) => unknown {
  const names = namesOf(specs, folder);
  const rows = specs.map((spec) => ({ look: rowOf(spec), facts: null as RowFacts | null, changed: 0 }));
  let changes = 0;
  let next = 0;
  return (seen) => {
    const end = performance.now() + lookMs;
    for (let count = 0; count < rows.length && performance.now() < end; count += 1) {
      const row = rows[next];
      next = (next + 1) % rows.length;
      const facts = row?.look() ?? null;
      if (row === undefined || row.facts === facts) continue;
      changes += 1;
      [row.facts, row.changed] = [facts, changes];
    }
    return {
      folder: escapeText(basename(folder)),
      ...{ seen: changes, of: rows.length, isWhole: rows.every(({ facts }) => facts !== null) },
      rows: rows.flatMap(({ facts, changed }, place) =>
        facts !== null && changed > seen ? [{ place, name: escapeText(names[place] ?? ""), ...facts }] : [],
      ),
    };
  };
}
