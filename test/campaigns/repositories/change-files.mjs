import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { filesIn, placeOf } from "./record-files.mjs";

export const names = [
  ...[
    "plain.txt",
    "with space.txt",
    "new\nline",
    "-dash",
    "quo\"te's",
    "tab\there",
    "back\\slash",
    ":(glob)x",
    ":!not",
  ],
  ...["star*", "what?", "[ab]", "!bang", "#hash", "trailing ", "README", "readme", "Readme.txt", "code.js", "b.txt"],
  ...[
    "\xff\xfe",
    "caf\xe9",
    "nfc-\xc3\xa9",
    "nfd-e\xcc\x81",
    "\xe6\x96\x87.dat",
    "a.dat",
    "~",
    "a.b",
    "a-b",
    "a0",
    "a",
  ],
];

export function chanceFrom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count) => Math.floor(next() * count);
  return { below, pick: (from) => from[below(from.length)], chance: (rate) => next() < rate };
}

/** Never changed: Verify commands read `good` and `done`, and git refuses `.gitmodules` as a link. */
const own = /^(?:good|done)$|(?:^|\/)\.gitmodules$/;

/**
 * Several changes may affect the same path.
 *
 * @param {{ top: string, prefix: string, spec: string | null }} ground
 */
export function changeFiles(ground, seed, count) {
  const chance = chanceFrom(seed);
  for (let made = 0; made < count; made += 1) changeOne(ground, chance);
}

function changeOne({ top, prefix, spec }, chance) {
  const inside = `${top}/${prefix}`.replace(/\/$/, "");
  const isSpec = (path) => `${prefix}${path}` === spec;
  const found = Object.keys(filesIn(inside, (path) => /(?:^|\/)\.git$/.test(path) || isSpec(path)));
  const files = found.filter((path) => !path.endsWith("/") && !own.test(path));
  const folders = [
    ...new Set(files.flatMap((path) => (path.includes("/") ? [path.slice(0, path.lastIndexOf("/"))] : []))),
  ];
  const place = (path) => placeOf(inside, path);
  const isNested = (folder) => existsSync(place(`${folder}/.git`));
  const holdsNested = (folder) =>
    isNested(folder) || folders.some((other) => other.startsWith(`${folder}/`) && isNested(other));
  const file = files.length === 0 ? null : chance.pick(files);
  const folder = folders.length === 0 ? "" : chance.pick([...folders, ""]);
  const text = `${chance.below(1e9)}${chance.pick(["\n", "\r\n", "", "\0"])}`;
  const create = (path, content = text) => {
    if (own.test(path) || isSpec(path) || lstatSync(place(path), { throwIfNoEntry: false }) !== undefined) return;
    writeFileSync(place(path), content);
  };
  const below = (name) => (folder === "" ? name : `${folder}/${name}`);
  const replace = (path, make) => {
    rmSync(place(path), { recursive: true });
    make();
  };
  const link = (path) => symlinkSync(chance.pick(["nowhere", ".", "..", "a.txt", "../a.txt", "/"]), place(path));
  const isPlain = file !== null && lstatSync(place(file)).isFile();
  const ways = {
    edit: () => isPlain && writeFileSync(place(file), Buffer.concat([readFileSync(place(file)), Buffer.from(text)])),
    // Keeps the size, and may happen within the same second as the previous change.
    flip: () =>
      isPlain &&
      writeFileSync(
        place(file),
        readFileSync(place(file)).map((byte) => byte ^ 1),
      ),
    empty: () => isPlain && writeFileSync(place(file), ""),
    remove: () => file !== null && rmSync(place(file)),
    chmod: () => isPlain && chmodSync(place(file), lstatSync(place(file)).mode ^ 0o100),
    create: () => create(below(chance.pick(names))),
    createMore: () => create(below(chance.pick(names))),
    ignored: () => create(below(chance.pick(["x.log", "y.log", "build"]))),
    // Never ignore the whole workspace: fixpoint treats an ignored workspace like one without a repository.
    ignoring: () => {
      if (lstatSync(place(below(".gitignore")), { throwIfNoEntry: false })?.isFile() === false) return;
      const all = prefix !== "" && folder === "" ? [] : ["*\n"];
      writeFileSync(place(below(".gitignore")), chance.pick(["", "*.txt\n", "*.log\n", "!*.log\n", "a*\n", ...all]));
    },
    folder: () => {
      const path = below(chance.pick(names));
      if (lstatSync(place(path), { throwIfNoEntry: false }) !== undefined) return;
      mkdirSync(place(path));
      if (chance.chance(0.7)) create(`${path}/${chance.pick(names)}`);
    },
    fileToFolder: () =>
      file !== null &&
      replace(file, () => {
        mkdirSync(place(file));
        if (chance.chance(0.7)) create(`${file}/${chance.pick(names)}`);
      }),
    folderToFile: () =>
      folder !== "" && !holdsNested(folder) && !isAround(folder) && replace(folder, () => create(folder)),
    folderToLink: () =>
      folder !== "" && !holdsNested(folder) && !isAround(folder) && replace(folder, () => link(folder)),
    removeFolder: () => folder !== "" && !isAround(folder) && rmSync(place(folder), { recursive: true }),
    fileToLink: () => file !== null && replace(file, () => link(file)),
    linkToFile: () => file !== null && !isPlain && replace(file, () => create(file)),
    link: () => {
      const path = below(chance.pick(names));
      if (lstatSync(place(path), { throwIfNoEntry: false }) === undefined) link(path);
    },
  };
  const isAround = (path) => spec?.startsWith(`${prefix}${path}/`) === true;
  ways[chance.pick(Object.keys(ways))]();
}
