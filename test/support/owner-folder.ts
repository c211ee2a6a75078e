import { createHash } from "node:crypto";
import { existsSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { readRemembered, writeRemembered } from "../../src/adapters/user/remembered-file.ts";

export const ownerFolder = (spec: string): string =>
  join(
    process.env["XDG_STATE_HOME"] ?? "",
    "fixpoint",
    createHash("sha256").update(realpathSync(spec)).digest("hex").slice(0, 32),
  );

/** Removes the stored length of the journals, which allows a test to shorten a journal. Preserves the consent. */
export function forgetHead(spec: string): void {
  const folder = ownerFolder(spec);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.endsWith(".head")) rmSync(join(folder, name));
}

export function moveRemembered({ workspace, spec }: { readonly workspace: string; readonly spec: string }): void {
  const folder = ownerFolder(spec);
  const idOf = (path: string) => {
    const { ino, birthtimeNs } = statSync(path, { bigint: true });
    return { inode: String(ino), born: String(birthtimeNs) };
  };
  for (const name of ["consent", "executors"]) {
    const found = readRemembered(folder, name, z.looseObject({}));
    if (found.kind !== "read") continue;
    const origin = { ...found.place.origin, workspace: idOf(workspace), spec: idOf(spec) };
    const place = { spec: realpathSync(spec), workspace: realpathSync(workspace), origin };
    const { v: _v, spec: _spec, workspace: _workspace, origin: _origin, sum: _sum, ...value } = found.value;
    writeRemembered(folder, name, place, value);
  }
}
