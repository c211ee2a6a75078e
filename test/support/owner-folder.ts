import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";

/** Where the user who runs the tests keeps what was agreed to for a spec. */
export const ownerFolder = (spec: string): string =>
  join(
    process.env["XDG_STATE_HOME"] ?? "",
    "fixpoint",
    createHash("sha256").update(realpathSync(spec)).digest("hex").slice(0, 32),
  );

/** Forget how far runs of a spec had come, and what was agreed to not: its journal is about to be shortened. */
export function forgetHead(spec: string): void {
  const folder = ownerFolder(spec);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(".head")) rmSync(join(folder, name));
}
