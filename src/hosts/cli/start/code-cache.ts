import * as fs from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { cacheFolder, isClosed, isOwn } from "./cache-folder.ts";

/** Compiled code of one file, and the check sum of the source that it was compiled from. */
export interface CompiledFile {
  readonly source: number;
  readonly code: Buffer;
}

export interface CodeCache {
  /** By the file's name. */
  readonly files: ReadonlyMap<string, CompiledFile>;
  /** Whether it is new enough to be left as it is. */
  readonly isFresh: boolean;
  write(collect: () => ReadonlyMap<string, CompiledFile>): void;
}

const day = 86_400_000;
/** What nobody has refreshed for so long is not used. */
const longestUnused = 30 * day;
const ending = ".code";
/** Anything larger is not ours. */
const maxBytes = 64 * 1024 * 1024;
/** Not there on Windows, where links need rights. */
const noLinks = (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

/**
 * The compiled code of a command, from this user's cache folder. Nothing about it may fail: what cannot be read, is not
 * safe or is damaged counts as empty, and what cannot be written is not.
 *
 * @param name Of the file in the folder: what differs for each engine, program and command.
 */
export function openCodeCache(name: string): CodeCache {
  const folder = quietly(() => cacheFolder()) ?? null;
  const path = folder === null ? "" : join(folder, `${name}${ending}`);
  const found = folder === null ? undefined : quietly(() => readPack(path));
  return {
    files: found?.files ?? new Map(),
    isFresh: found !== undefined && Date.now() - found.writtenAt < day,
    write: (collect) => {
      if (folder === null) return;
      quietly(() => writePack(path, collect()));
      quietly(() => removeOld(folder));
    },
  };
}

function quietly<Result>(act: () => Result): Result | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}

/** @throws for what is not a whole file of this user alone */
function readPack(path: string): { files: Map<string, CompiledFile>; writtenAt: number } {
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | noLinks);
  try {
    const found = fs.fstatSync(descriptor);
    const isSafe = found.isFile() && found.nlink === 1 && isOwn(found) && isClosed(found) && found.size <= maxBytes;
    if (!isSafe) throw new Error("unsafe");
    return { files: unpack(fs.readFileSync(descriptor)), writtenAt: found.mtimeMs };
  } finally {
    fs.closeSync(descriptor);
  }
}

/** Replaces the file at once, so that starts beside this one find the old or the new one whole. */
function writePack(path: string, files: ReadonlyMap<string, CompiledFile>): void {
  const draft = `${path.slice(0, -ending.length)}.${process.pid}.tmp${ending}`;
  fs.rmSync(draft, { force: true });
  try {
    fs.writeFileSync(draft, pack(files), { flag: "wx", mode: 0o600 });
    fs.renameSync(draft, path);
  } catch (error) {
    fs.rmSync(draft, { force: true });
    throw error;
  }
}

function removeOld(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((each) => each.endsWith(ending))) {
    const path = join(folder, name);
    if (Date.now() - fs.lstatSync(path).mtimeMs > longestUnused) fs.rmSync(path, { force: true });
  }
}

/** A check sum of all that follows; the length of a list of the files, as JSON; the list; the code of each. */
function pack(files: ReadonlyMap<string, CompiledFile>): Buffer {
  const list = Buffer.from(JSON.stringify([...files].map(([name, { source, code }]) => [name, source, code.length])));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(list.length);
  const body = Buffer.concat([length, list, ...[...files.values()].map(({ code }) => code)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(body));
  return Buffer.concat([sum, body]);
}

/** The engine trusts what it is given: a damaged byte could do anything, so that the sum is checked first. */
function unpack(bytes: Buffer): Map<string, CompiledFile> {
  const body = bytes.subarray(4);
  if (bytes.readUInt32LE(0) !== crc32(body)) throw new Error("damaged");
  let at = 4 + body.readUInt32LE(0);
  const list: [string, number, number][] = JSON.parse(body.toString("utf8", 4, at));
  return new Map(
    list.map(([name, source, length]) => {
      const code = body.subarray(at, at + length);
      at += length;
      return [name, { source, code }];
    }),
  );
}
