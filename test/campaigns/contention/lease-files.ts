import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function listIn(folder: string): { readonly path: string; readonly claim: string } | null {
  const claims = (existsSync(folder) ? readdirSync(folder) : []).map(Number).filter(Number.isInteger);
  const path = join(folder, String(Math.max(...claims)), "holders.json");
  return claims.length === 0 || !existsSync(path) ? null : { path, claim: join(path, "..") };
}

type Holder = { readonly id: string; readonly pid: number; readonly spec: string };

function holdersIn(path: string): readonly Holder[] {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Holder[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export function holderIn(data: string): number | null {
  try {
    const list = listIn(join(data, "lease"));
    const holder = list && holdersIn(list.path).find(({ id }) => existsSync(join(list.claim, id)));
    return holder?.pid ?? null;
  } catch {
    // Another process is removing the claim.
    return null;
  }
}

export function forgeHolder(data: string, facts: object): void {
  const places = join(process.env["XDG_STATE_HOME"] ?? "", "fixpoint", "workspaces");
  const workspaces = existsSync(places) ? readdirSync(places).map((name) => join(places, name)) : [];
  for (const lists of [join(data, "lease"), ...workspaces].map(listIn)) {
    if (lists === null) continue;
    const isOf = ({ spec }: { readonly spec: string }): boolean => spec === dirname(data);
    const holders = holdersIn(lists.path);
    if (!holders.some(isOf)) continue;
    writeFileSync(
      lists.path,
      JSON.stringify(holders.map((holder) => (isOf(holder) ? { ...holder, ...facts } : holder))),
    );
  }
}
