import { createHash, randomBytes } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { interpreted } from "../../model/parse-json.ts";
import { Role } from "../../model/role.ts";
import { makeFolder } from "../files/folder.ts";
import { readRegular } from "../files/own-file.ts";
import { refused } from "../files/refused.ts";
import { writeAtomic } from "../files/write-atomic.ts";
import { bootId, type ProcessIdentity } from "../processes/process-identity.ts";

export const HandedWork = z.object({
  /** The nonce that the report must carry. Only the worker may know it. */
  nonce: z.string(),
  /** `<task id>#<attempt>`, with `/review` or `/askOperator` if the work is not an attempt. */
  key: z.string(),
  role: Role,
  task: z.object({ id: z.string(), title: z.string() }),
  /** Absolute folder to work in. */
  workspace: z.string(),
  /** File with the prompt, if it is long: some agents cut tool results. */
  promptFile: z.string().optional(),
  prompt: z.string(),
});
export type HandedWork = z.infer<typeof HandedWork>;

const Reported = HandedWork.pick({ key: true });

const Taker = z.object({ pid: z.int(), pidStart: z.string().nullable(), boot: z.string().nullable() });

const mostTakers = 20;

const mostKept = 200;

/** Handed-out work of a spec, in the user's folder: the journal only has hashes of nonces. */
export interface HandedOutStore {
  /** Find open work by the hash of its nonce. */
  find(hash: string): HandedWork | null;
  /** The key of a nonce, and whether its work was reported; null for an unknown nonce. */
  given(nonce: string): { readonly key: string; readonly isReported: boolean } | null;
  /**
   * Find the nonce for the work with a key: the earlier nonce of the key, else the nonce of open work with this hash,
   * else a new nonce.
   */
  nonceOf(key: string, hash: string | null): string;
  /**
   * Store work, and return it as it is handed out.
   *
   * @param taker The process that takes the work; null if unknown. `takers` still lists this process after another
   *   process takes the work.
   */
  keep(work: Omit<HandedWork, "promptFile">, taker: ProcessIdentity | null): HandedWork;
  meet(taker: ProcessIdentity): void;
  takers(): readonly ProcessIdentity[];
  close(nonce: string): void;
  /** Record a reminder to the holder of a nonce. Returns false if it was already recorded. */
  remind(nonce: string): boolean;
}

/** SHA-256 (hex) of a nonce, as the journal stores it. */
export const hashOfNonce = (nonce: string): string => createHash("sha256").update(nonce).digest("hex");

/** Endings of file names. Each fact has its own file, since a hook or an agent may write at the same time. */
const forms = { open: ".json", prompt: ".prompt.md", reported: ".reported", reminded: ".reminded" };

/** Longer prompts also get a file: agents cut tool results from 10 000 bytes on. */
const longBytes = 8000;

/**
 * @param folder The user's folder for the spec.
 * @throws {EnvironmentError} `file-refused` on a write
 */
export function handedOutStore(folder: string): HandedOutStore {
  const place = join(folder, "handed-out");
  const made = new Map<string, string>();
  const pathOf = (hash: string, form: string): string => join(place, `${hash}${form}`);
  const find = (hash: string): HandedWork | null =>
    isHash.test(hash) ? readAs(HandedWork, pathOf(hash, forms.open)) : null;
  const meet = (taker: ProcessIdentity): void => {
    refused("make", place, () => makeFolder(place, 0o700));
    write(join(place, `${takerName}${taker.pid}.json`), JSON.stringify({ ...taker, boot: bootId() }));
    refused("read", place, () => dropOldest(place, takersIn(place), mostTakers));
  };
  return {
    find,
    given: (nonce) => {
      const hash = hashOfNonce(nonce);
      const open = find(hash);
      const found = open ?? readAs(Reported, pathOf(hash, forms.reported));
      return found === null ? null : { key: found.key, isReported: open === null };
    },
    nonceOf: (key, hash) => {
      const known = made.get(key) ?? (hash === null ? undefined : find(hash)?.nonce);
      const nonce = known ?? randomBytes(8).toString("hex");
      made.set(key, nonce);
      return nonce;
    },
    keep: ({ prompt, ...rest }, taker) => {
      const hash = hashOfNonce(rest.nonce);
      const promptFile = Buffer.byteLength(prompt) > longBytes ? pathOf(hash, forms.prompt) : undefined;
      const work = { ...rest, ...(promptFile !== undefined && { promptFile }), prompt };
      refused("make", place, () => makeFolder(place, 0o700));
      // Remember the taker first, so that no unknown process holds a nonce.
      if (taker !== null) meet(taker);
      if (promptFile !== undefined) write(promptFile, prompt);
      write(pathOf(hash, forms.open), JSON.stringify(work));
      refused("read", place, () => dropOldest(place, noncesIn(place), mostKept));
      return work;
    },
    meet,
    takers: () =>
      takersIn(place)
        .flatMap((name) => readAs(Taker, join(place, name)) ?? [])
        .filter(({ boot }) => boot === bootId()),
    close: (nonce) => {
      const hash = hashOfNonce(nonce);
      const key = find(hash)?.key;
      // While both files exist, the work counts as open, so that a crash in between loses nothing.
      if (key !== undefined) write(pathOf(hash, forms.reported), JSON.stringify({ key }));
      for (const path of [pathOf(hash, forms.open), pathOf(hash, forms.prompt)])
        refused("remove", path, () => rmSync(path, { force: true }));
    },
    remind: (nonce) => {
      const path = pathOf(hashOfNonce(nonce), forms.reminded);
      return refused("write", path, () => {
        try {
          closeSync(openSync(path, "wx", 0o600));
          return true;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
          throw error;
        }
      });
    },
  };
}

const isHash = /^[0-9a-f]{64}$/;

const takerName = "taker-";

const namesIn = (place: string): string[] => (existsSync(place) ? readdirSync(place) : []);
const takersIn = (place: string): string[] => namesIn(place).filter((name) => /^taker-\d+\.json$/.test(name));
const noncesIn = (place: string): string[] => namesIn(place).filter((name) => isHash.test(hashIn(name)));

function write(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  refused("write", path, () => writeAtomic(path, text, { temporary, durable: false, mode: 0o600 }));
}

/** Null for a file that is lost or damaged: then holders get new nonces. */
function readAs<Form>(form: z.ZodType<Form>, path: string): Form | null {
  try {
    return form.parse(JSON.parse(readRegular(path)?.toString("utf8") ?? ""), interpreted);
  } catch {
    return null;
  }
}

/** Remove all files of the oldest nonces or takers, beyond the maximum. */
function dropOldest(place: string, names: readonly string[], most: number): void {
  if (new Set(names.map(hashIn)).size <= most) return;
  const times = new Map<string, number>();
  for (const name of names) {
    const changed = statSync(join(place, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    times.set(hashIn(name), Math.max(changed, times.get(hashIn(name)) ?? 0));
  }
  const byAge = [...times].sort(([, one], [, other]) => one - other).map(([hash]) => hash);
  const dropped = new Set(byAge.slice(0, -most));
  for (const name of names) if (dropped.has(hashIn(name))) rmSync(join(place, name), { force: true });
}

/** First 64 characters of a file name: the hash, or the whole name of a taker's file. */
const hashIn = (name: string): string => name.slice(0, 64);
