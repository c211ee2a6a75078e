import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

describe("the packed package", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [{ files }] = JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8", stdio: "pipe" }));
  const packed = new Set<string>(files.map(({ path }: { path: string }) => path));

  it("names no source map that it does not contain", () => {
    expect([...packed].filter((path) => path.startsWith("dist/")).length).toBeGreaterThan(100);
    const named = [...packed].flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/^\/\/# sourceMappingURL=(.*)$/gm)].map(([, map = ""]) =>
        posix.join(posix.dirname(path), map),
      ),
    );
    expect(named.filter((path) => !packed.has(path))).toEqual([]);
  });

  it("contains the files that its README links to, except those about its development", () => {
    const ofItsMaking = /^docs\/(?:evidence\/.*|pictures\/.*|house\.md|releasing\.md|reliability\.md)$|^examples\//;
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, link = ""]) =>
      /^\w+:/.test(link) ? [] : [link],
    );
    expect(links.length).toBeGreaterThan(20);
    const missing = links.filter((link) => !packed.has(posix.normalize(link)));
    expect(missing.filter((link) => !ofItsMaking.test(link))).toEqual([]);
    expect([...packed].filter((path) => path.startsWith("schema/"))).not.toEqual([]);
  });

  it("has no script that npm runs on installation", () => {
    const atInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"];
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
  });

  const doorPaths = (condition: "types" | "default"): string[] =>
    Object.values<string | Record<typeof condition, string>>(manifest.exports).flatMap((target) =>
      typeof target === "string" ? [] : [target[condition]],
    );

  it("has a bundle and its declarations for each door, and no other output of the compiler", () => {
    const paths = [...doorPaths("types"), ...doorPaths("default")];
    expect(paths.filter((path) => !packed.has(posix.normalize(path)))).toEqual([]);
    expect(paths.filter((path) => !path.startsWith("./dist/doors/"))).toEqual([]);
    const elsewhere = /^dist\/(?:doors\/|src\/hosts\/cli\/|page\.cjs$)/;
    expect([...packed].filter((path) => path.startsWith("dist/") && !elsewhere.test(path))).toEqual([]);
  });

  it("has each comment of a declaration on separate lines, where editors assign it to the following name", () => {
    const declarations = [...packed].filter((path) => path.endsWith(".d.ts"));
    const texts = declarations.map((path) => readFileSync(join(root, path), "utf8"));
    expect(texts.join("").match(/^[ \t]*\/\*\*\s/gm)?.length).toBeGreaterThan(500);
    expect(texts.flatMap((text) => text.match(/^.*\S.*\/\*\*\s.*|\*\/[ \t]*[^\s].*$/gm) ?? [])).toEqual([]);
  });

  it("has each name once, whatever doors it is imported from", async () => {
    const paths = doorPaths("default");
    const doors: Record<string, unknown>[] = await Promise.all(
      paths.map((path) => import(/* @vite-ignore */ pathToFileURL(join(root, path)).href)),
    );
    const names = new Set(doors.flatMap((door) => Object.keys(door)));
    const twice = [...names].filter((name) => {
      const found = doors.flatMap((door) => (name in door ? [door[name]] : []));
      return new Set(found).size > 1;
    });
    expect(twice).toEqual([]);

    const all = Object.assign({}, ...doors);
    // All entry points export the same class.
    await expect(all.runSpec({ spec: "/nowhere" })).rejects.toBeInstanceOf(all.InputError);
    expect(() => all.start(all.createTaskMachine(), {})).toThrow(all.InputError);
  });

  it("has a command that contains each source once, and needs only Node and its own files", () => {
    const folder = "dist/src/hosts/cli/";
    const own = [...packed].filter((path) => path.startsWith(folder) && path.endsWith(".js"));
    const texts = own.map((path) => readFileSync(join(root, path), "utf8"));
    const sources = texts.flatMap((text) =>
      [...text.matchAll(/^\/\/ ((?:src|machines|node_modules)\/\S+)$/gm)].map(([, source = ""]) => source),
    );
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.filter((source, at) => sources.indexOf(source) !== at)).toEqual([]);
    const needed = texts.flatMap((text) => [...text.matchAll(/\brequire\("([^"]+)"\)/g)].map(([, id = ""]) => id));
    expect(needed.filter((id) => !isBuiltin(id) && !packed.has(posix.join(folder, id)))).toEqual([]);
  });

  it("contains the licence of each package that its command bundles", () => {
    const folder = join(root, "dist/src/hosts/cli");
    const licences = readFileSync(join(folder, "THIRD-PARTY-LICENSES"), "utf8");
    const contained = readdirSync(folder).flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/^\/\/ node_modules\/((?:@[^/\n]+\/)?[^/\n]+)/gm)].map(
        ([, id = ""]) => id,
      ),
    );
    expect(new Set(contained).size).toBeGreaterThan(10);
    expect([...new Set(contained)].filter((id) => !licences.includes(`## ${id} `))).toEqual([]);
    expect(packed).toContain("dist/src/hosts/cli/THIRD-PARTY-LICENSES");
  });
});
