// Must not use code of the product, whose results these records verify.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Each character of `top` and `path` stands for one byte. */
export const placeOf = (top, path) => Buffer.from(path === "" ? top : `${top}/${path}`, "latin1");

/** Git updates the time of this file when it reads a split index. */
const touched = /^sharedindex\./;

/**
 * Lists files, links and empty folders by path: permissions with a hash of the content, or the target. The path of an
 * empty folder ends with a slash.
 *
 * @param top Absolute path; each character stands for one byte.
 * @param times Whether to include modification times.
 * @returns {Record<string, string>}
 */
export function filesIn(top, skips = () => false, times = false) {
  const files = {};
  const enter = (folder) => {
    const names = readdirSync(placeOf(top, folder), { encoding: "latin1" });
    if (names.length === 0 && folder !== "") files[`${folder}/`] = "empty";
    for (const name of names.sort()) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (skips(path)) continue;
      const found = lstatSync(placeOf(top, path));
      if (found.isDirectory()) enter(path);
      else files[path] = `${contentOf(top, path, found)}${times && !touched.test(name) ? ` ${found.mtimeMs}` : ""}`;
    }
  };
  enter("");
  return files;
}

function contentOf(top, path, found) {
  if (found.isSymbolicLink()) return `link ${readlinkSync(placeOf(top, path), { encoding: "latin1" })}`;
  if (!found.isFile()) return "special";
  const hash = createHash("sha1")
    .update(readFileSync(placeOf(top, path)))
    .digest("hex");
  return `file ${(found.mode & 0o7777).toString(8)} ${hash}`;
}

/**
 * Lists the files of a working tree, and the files that attempts save.
 *
 * @param {{ top: string, prefix: string, spec: string | null }} ground
 * @returns {{ files: Record<string, string>, kept: string[], rules: Record<string, string> }} `rules`: texts of the
 *   ignore lists that attempts save, and of those outside of the workspace.
 */
export function recordOf({ top, prefix, spec }) {
  const files = filesIn(top, (path) => path === ".git" || path === spec || path.endsWith(".fixpoint-restore.tmp"));
  const words = ["-c", "core.fsmonitor=false", "ls-files", "-z", "-c", "-o", "--exclude-standard"];
  const env = { ...process.env, GIT_OPTIONAL_LOCKS: "0" };
  const listed = execFileSync("git", words, {
    cwd: placeOf(top, "").toString(),
    env,
    maxBuffer: 2 ** 28,
    stdio: "pipe",
  })
    .toString("latin1")
    .split("\0");
  const isWithin = (path) => path.startsWith(prefix) && (spec === null || !`${path}/`.startsWith(`${spec}/`));
  const kept = [...new Set(listed)].filter((path) => isWithin(path) && Object.hasOwn(files, path));
  const lists = [...kept, ...Object.keys(files).filter((path) => !isWithin(path))].filter(
    (path) => /(?:^|\/)\.gitignore$/.test(path) && files[path].startsWith("file "),
  );
  const rules = Object.fromEntries(lists.map((path) => [path, readFileSync(placeOf(top, path), "latin1")]));
  return { files, kept, rules };
}

/**
 * Includes tracked files.
 *
 * @param {Record<string, string>} rules
 * @param {readonly string[]} paths
 * @returns {Set<string>}
 */
export function ignoredBy(rules, paths) {
  const folder = mkdtempSync(join(tmpdir(), "fixpoint-rules-"));
  try {
    execFileSync("git", ["init", "-q", "--template=", folder], { stdio: "pipe" });
    for (const [path, text] of Object.entries(rules)) {
      const place = placeOf(folder, path);
      mkdirSync(Buffer.from(dirname(place.toString("latin1")), "latin1"), { recursive: true });
      writeFileSync(place, text, "latin1");
    }
    // The leading `./` keeps git from reading a path as a pattern.
    const { status, stdout, stderr } = spawnSync("git", ["check-ignore", "--no-index", "-z", "--stdin"], {
      cwd: folder,
      input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
      maxBuffer: 2 ** 28,
    });
    if (status !== 0 && status !== 1) throw new Error(`git check-ignore: ${stderr}`);
    return new Set(
      stdout
        .toString("latin1")
        .split("\0")
        .map((path) => path.slice("./".length)),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}
