import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { refused } from "../../../adapters/files/refused.ts";
import { writeAtomic } from "../../../adapters/files/write-atomic.ts";
import { identifyProcess } from "../../../adapters/processes/process-identity.ts";

const fileName = /^watch-(\d+)\.html$/;

/**
 * Keep the way to a page in a file that only this user can read. The token is in no argument of a process then, and in
 * no log: whoever opens the file is sent on.
 *
 * @param place The user's folder for the spec.
 * @returns Its path, and what takes it away.
 * @throws {EnvironmentError} `file-refused`
 */
export function redirectFile(place: string, address: string): { readonly path: string; readonly remove: () => void } {
  const path = join(place, `watch-${process.pid}.html`);
  const text = `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=${address}"><title>fixpoint</title>\n`;
  refused("write", path, () => {
    for (const name of readdirSync(place)) {
      const pid = fileName.exec(name)?.[1];
      if (pid !== undefined && identifyProcess(Number(pid)) === null) rmSync(join(place, name), { force: true });
    }
    writeAtomic(path, text, { temporary: `${path}.tmp`, durable: false, mode: 0o600 });
  });
  return { path, remove: () => rmSync(path, { force: true }) };
}
