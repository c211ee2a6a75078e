import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenSink, Sink } from "./sink.ts";

export const fileSink = (name: string, every: number, open: (folder: string) => OpenSink["check"]): Sink => ({
  name,
  every,
  open: () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "fixpoint-hostile-")));
    return { check: open(folder), close: () => rmSync(folder, { recursive: true, force: true }) };
  },
});
