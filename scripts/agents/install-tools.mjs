import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const known = JSON.parse(readFileSync(new URL("tools.json", import.meta.url), "utf8"));
const isNode20 = process.versions.node.startsWith("20.");

export const toolNames = Object.keys(known);

export function locateTool(name, { folder, isLatest }) {
  const { package: from, version, versionOnNode20 = version, program } = known[name];
  const wanted = isLatest ? "latest" : isNode20 ? versionOnNode20 : version;
  const place = join(folder, "tools", `${name}-${wanted}`);
  return { name, from, wanted, place, bin: join(place, "bin"), program: join(place, program) };
}

export function installTool({ name, from, wanted, place, bin, program }) {
  const link = join(bin, name);
  if (wanted !== "latest" && existsSync(link)) return false;
  rmSync(place, { recursive: true, force: true });
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(place, "package.json"), '{ "private": true }\n');
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", ...quiet, `${from}@${wanted}`], { cwd: place, stdio: "inherit" });
  if (status !== 0 || !existsSync(program)) throw new Error(`Cannot install ${from}@${wanted} into ${place}`);
  symlinkSync(program, link);
  return true;
}

export function versionOf({ place, from }) {
  return JSON.parse(readFileSync(join(place, "node_modules", from, "package.json"), "utf8")).version;
}
