import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { cli } from "../../support/cli.ts";
import { temporaryFolder } from "../../support/folder.ts";

interface Place {
  /** `$XDG_CACHE_HOME`. */
  readonly home: string;
  readonly folder: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly command?: string;
  /** Of the engine. */
  readonly flags?: readonly string[];
}

const user = process.getuid?.();
const other = 4711;

const placeIn = (home: string): Place => ({ home, folder: join(home, "fixpoint") });
const newPlace = (): Place => placeIn(temporaryFolder());
/** No workspace, and nothing of a cache below it. */
const away = import.meta.dirname;
const call = ({ home, env, cwd = away, command = cli, flags = [] }: Place, ...words: string[]) => {
  const options = {
    cwd,
    env: { ...process.env, XDG_CACHE_HOME: home, ...env },
    encoding: "utf8",
  } as const;
  return spawnSync(process.execPath, [...flags, command, ...words], options);
};
const draw = (place: Place): string => {
  const { status, stdout, stderr } = call(place, "diagram", "task");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return stdout;
};
const cachesIn = ({ folder }: Place): string[] => (existsSync(folder) ? readdirSync(folder) : []);
const cacheOf = (place: Place): string => join(place.folder, cachesIn(place)[0] ?? "none");
/** Of a cache whose code was refused, or that was not there, another is written. */
const fileOf = (place: Place): number => lstatSync(cacheOf(place)).ino;

/** A cache in form, whose code for the first file of the program says that it ran. */
function poison(file: string): void {
  const bytes = readFileSync(file);
  const start = 8 + bytes.readUInt32LE(4);
  const list: [string, number, number][] = JSON.parse(bytes.toString("utf8", 8, start));
  let at = start;
  const parts = list.map(([name, source, length]) => {
    const code = bytes.subarray(at, at + length);
    at += length;
    return { name, source, code: name === "run-cli.js" ? codeThatTells(name) : code };
  });
  const head = Buffer.from(JSON.stringify(parts.map(({ name, source, code }) => [name, source, code.length])));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(head.length);
  const body = Buffer.concat([size, head, ...parts.map(({ code }) => code)]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32(body));
  writeFileSync(file, Buffer.concat([sum, body]));
}

/** Code for another source of the same length, which is all of it that the engine compares. */
function codeThatTells(name: string): Buffer {
  const opening = "(function (exports, require, module, __filename, __dirname) {";
  const { length } = `${opening}${readFileSync(join(dirname(cli), name), "utf8")}\n})`;
  const told = `${opening}process.stdout.write("POISONED"); process.exit(0);`;
  // The engine of the tests has flags of its own.
  const compile = `const { Script } = require("node:vm");
    process.stdout.write(new Script(${JSON.stringify(told)}.padEnd(${length - 2}) + "})").createCachedData());`;
  return spawnSync(process.execPath, ["-e", compile]).stdout;
}

describe("code that was compiled before", () => {
  it("is kept for the next start, where only its user may write", () => {
    const place = newPlace();
    const first = draw(place);
    expect(cachesIn(place)).toEqual([expect.stringMatching(/^diagram-[0-9a-f]{8}\.code$/)]);
    expect(lstatSync(place.folder).mode & 0o777).toBe(0o700);
    expect(lstatSync(cacheOf(place)).mode & 0o777).toBe(0o600);
    const before = fileOf(place);
    expect(draw(place)).toBe(first);
    expect(fileOf(place)).toBe(before);
  });

  it("is executed: whoever can write it as its user could do anything anyway", () => {
    const place = newPlace();
    draw(place);
    poison(cacheOf(place));
    expect(call(place, "diagram", "task").stdout).toBe("POISONED");
  });

  const unsafe: [string, (place: Place) => void][] = [
    ["a folder that its group may write to", ({ folder }) => chmodSync(folder, 0o770)],
    ["a folder that anybody may write to", ({ folder }) => chmodSync(folder, 0o777)],
    ["a file that its group may write to", (place) => chmodSync(cacheOf(place), 0o660)],
    [
      "a folder behind a link",
      ({ home, folder }) => {
        renameSync(folder, join(home, "elsewhere"));
        symlinkSync(join(home, "elsewhere"), folder);
      },
    ],
    [
      "a file behind a link",
      (place) => {
        const path = cacheOf(place);
        renameSync(path, join(place.home, "elsewhere"));
        symlinkSync(join(place.home, "elsewhere"), path);
      },
    ],
    ["a file with a second name", (place) => linkSync(cacheOf(place), join(place.home, "elsewhere"))],
    ["a working tree", ({ home }) => mkdirSync(join(home, ".git"))],
    ["a worktree", ({ home }) => writeFileSync(join(home, ".git"), "gitdir: /elsewhere\n")],
    ["a workspace", ({ home }) => mkdirSync(join(home, "specs"))],
  ];

  it.each(unsafe)("is not executed from %s", (_what, change) => {
    const place = newPlace();
    const drawn = draw(place);
    poison(cacheOf(place));
    change(place);
    expect(draw(place)).toBe(drawn);
  });

  it.runIf(user === 0).each([
    ["file", (place: Place) => cacheOf(place)],
    ["folder", ({ folder }: Place) => folder],
  ])("is not executed from a %s of another user", (_what, pathOf) => {
    const place = newPlace();
    const drawn = draw(place);
    poison(cacheOf(place));
    chownSync(pathOf(place), other, other);
    expect(draw(place)).toBe(drawn);
  });

  it.runIf(user === 0)("is not made in the home of another user", () => {
    const place = newPlace();
    chownSync(place.home, other, other);
    draw(place);
    expect(cachesIn(place)).toEqual([]);
  });

  it("is not executed, nor kept, below the current folder", () => {
    const place = newPlace();
    const drawn = draw(place);
    poison(cacheOf(place));
    expect(draw({ ...place, cwd: place.home })).toBe(drawn);
    const inside = placeIn(join(temporaryFolder(), "cache"));
    draw({ ...inside, cwd: dirname(inside.home) });
    expect(existsSync(inside.folder)).toBe(false);
  });

  const damages: [string, (path: string) => void][] = [
    ["empty", (path) => writeFileSync(path, "")],
    ["cut", (path) => writeFileSync(path, readFileSync(path).subarray(0, 5000))],
    ["rubbish", (path) => writeFileSync(path, Buffer.alloc(100_000, 0xa5))],
    ["longer", (path) => appendFileSync(path, "x")],
    [
      "one bit off",
      (path) => {
        const bytes = readFileSync(path);
        bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
        writeFileSync(path, bytes);
      },
    ],
  ];

  it.each(damages)("is compiled again when it is damaged: %s", (_what, damage) => {
    const place = newPlace();
    const drawn = draw(place);
    damage(cacheOf(place));
    const before = fileOf(place);
    expect(draw(place)).toBe(drawn);
    expect(fileOf(place)).not.toBe(before);
  });

  it("gives way to a folder, a pipe and a device in its place", () => {
    const place = newPlace();
    const drawn = draw(place);
    for (const make of ["mkdir", "mkfifo"]) {
      const path = cacheOf(place);
      rmSync(path, { recursive: true });
      spawnSync(make, [path]);
      expect(draw(place)).toBe(drawn);
    }
  });

  it("is compiled again when the engine takes other flags, or the program was changed in its place", () => {
    const place = newPlace();
    draw(place);
    draw({ ...place, flags: ["--no-opt"] });
    expect(cachesIn(place)).toHaveLength(2);

    const copy = join(resolve(import.meta.dirname, "../../.."), "reports", `cli-changed-${process.pid}`);
    spawnSync("cp", ["-r", dirname(cli), copy]);
    const changed = { ...newPlace(), command: join(copy, "main.js") };
    expect(draw(changed)).toContain("stateDiagram-v2");
    for (const name of readdirSync(copy)) {
      const path = join(copy, name);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll("stateDiagram-v2", "stateDiagram-v3"));
    }
    expect(draw(changed)).toContain("stateDiagram-v3");
    rmSync(copy, { recursive: true });
  });

  it("is refreshed after a day, and removed a month after that", () => {
    const place = newPlace();
    draw(place);
    const before = fileOf(place);
    const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
    const [old, young, foreign] = ["run-00000000.code", "run-00000001.code", "notes.txt"].map((name) =>
      join(place.folder, name),
    ) as [string, string, string];
    for (const path of [old, young, foreign]) writeFileSync(path, "");
    for (const path of [old, foreign]) utimesSync(path, daysAgo(31), daysAgo(31));
    utimesSync(cacheOf(place), daysAgo(1.1), daysAgo(1.1));
    draw(place);
    expect(fileOf(place)).not.toBe(before);
    expect([old, young, foreign].map((path) => existsSync(path))).toEqual([false, true, true]);
  });

  it("is missed by nobody", () => {
    const missing = join(newPlace().home, "a", "b");
    expect(draw(placeIn(missing))).toBe(draw(newPlace()));
    expect(existsSync(join(missing, "fixpoint"))).toBe(true);
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    for (const home of [file, "/proc", "/dev/full", "relative", ""]) draw({ ...placeIn(home), env: { HOME: "/proc" } });
    const bare = spawnSync(process.execPath, [cli, "diagram", "task"], { cwd: away, env: {}, encoding: "utf8" });
    expect({ status: bare.status, stderr: bare.stderr }).toEqual({ status: 0, stderr: "" });
    const refused = newPlace();
    draw({ ...refused, env: { NODE_DISABLE_COMPILE_CACHE: "1" } });
    expect(cachesIn(refused)).toEqual([]);
  });

  it("is not kept where files may not be as long, and the command ends well", () => {
    const { home, folder } = newPlace();
    const script = `ulimit -f 16 && exec "$0" "$@"`;
    const { status, signal, stdout } = spawnSync("sh", ["-c", script, process.execPath, cli, "diagram", "task"], {
      cwd: away,
      env: { ...process.env, XDG_CACHE_HOME: home },
      encoding: "utf8",
    });
    expect({ status, signal }).toEqual({ status: 0, signal: null });
    expect(stdout).toBe(draw(newPlace()));
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is kept apart for each command, and for none that there is not", () => {
    const place = newPlace();
    draw(place);
    call(place, "--help");
    call(place, "rnu");
    expect(cachesIn(place).map((name) => name.split("-")[0])).toEqual(["diagram", "help"]);
  });

  it("is compiled of files in ASCII, which are read without being decoded", () => {
    const folder = dirname(cli);
    const files = readdirSync(folder).filter((name) => name.endsWith(".js"));
    expect(files.length).toBeGreaterThan(10);
    for (const name of files) expect(readFileSync(join(folder, name), "latin1"), name).not.toMatch(/[^\0-\x7f]/);
  });
});

describe("a defect", () => {
  it("is told with the sources that it came through", () => {
    const preload = join(temporaryFolder(), "defect.cjs");
    writeFileSync(
      preload,
      `const fs = require("node:fs");
       const { realpathSync } = fs;
       fs.realpathSync = Object.assign((...given) => {
         if (new Error().stack.includes("perform-run")) throw new TypeError("broken");
         return realpathSync(...given);
       }, realpathSync);`,
    );
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, "specs", "demo"), { recursive: true });
    writeFileSync(join(cwd, "specs", "demo", "tasks.md"), "- [ ] 1.1 One\n");
    const words = ["run", "demo", "--exec", "true", "--yes"];
    const { status, stderr } = call({ ...newPlace(), cwd, env: { NODE_OPTIONS: `--require ${preload}` } }, ...words);
    expect({ status, stderr }).toEqual({
      status: 70,
      stderr: expect.stringMatching(
        /TypeError: broken\n[\s\S]*at \S+ \(src\/hosts\/cli\/perform-run\.ts in \/\S+\.js:\d+:\d+\)/,
      ),
    });
  });
});
