import { listFindings } from "../finding-list.ts";
import type { ToolReader } from "../reader.ts";
import { stackPlace } from "../stack-place.ts";

/** A program that Node could not load or that has ended by an error nobody caught: named by that error. */
export const node: ToolReader = {
  tool: "node",
  kind: "wrapper",
  open: () => {
    const found = listFindings();
    let error: string | null = null;
    let place: ReturnType<typeof stackPlace> = null;
    return {
      read: (line) => {
        const first = line.charCodeAt(0);
        if (first === 0x4e && error !== null && /^Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(line)) {
          found.add({ id: error, file: place?.file ?? null, line: place?.line ?? null, message: error });
          error = null;
        } else if (first >= 0x41 && first <= 0x5a && /^[A-Z]?\w{0,60}Error(?: \[\w{1,60}\])?: \S/.test(line)) {
          error = line;
          place = null;
        } else if (error !== null && place === null && first === 0x20) place = stackPlace(line);
      },
      end: () => found.end(),
    };
  },
};
