// Executor of a trial: records the files, changes files at random with its key as seed, and records the files again.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { changeFiles } from "./change-files.mjs";
import { placeOf, recordOf } from "./record-files.mjs";

const orders = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { ground, records, seed, most, passesAt } = orders;
const key = process.env.FIXPOINT_KEY;
const number = readdirSync(records).filter((name) => name.endsWith("found.json")).length;

function note(what) {
  const path = join(records, `${String(number).padStart(2, "0")} ${key} ${what}.json`);
  writeFileSync(`${path}.tmp`, JSON.stringify(recordOf(ground)));
  renameSync(`${path}.tmp`, path);
}

note("found");
const [task, attempt] = key.split("#");
if (task === "1.1") changeFiles(ground, crc32(key, seed), 1 + (crc32(`${key} count`, seed) % most));
if (task === "1.1" && Number(attempt) >= passesAt) writeFileSync(placeOf(ground.top, `${ground.prefix}good`), "good\n");
if (task === "1.2") writeFileSync(placeOf(ground.top, `${ground.prefix}done`), "done\n");
note("left");
process.stdout.write("TASK_COMPLETE\n");
