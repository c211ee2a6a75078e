import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";

/** Lowest layer first. Folders of one layer do not import each other. */
const layers: readonly (readonly string[])[] = [
  ["src/model"],
  ["src/digest", "src/parse", "src/markdown", "src/recover", "src/evidence", "src/prompt", "src/ports"],
  ["src/wording", "src/telemetry"],
  ["src/run"],
  ["src/effects", "src/adapters", "src/testing"],
  ["machines"],
  ["src/runtime"],
  ["src/hosts/page"],
  ["src/hosts/node", "src/hosts/simulation", "src/agents", "src/index.ts", "src/testing/index.ts"],
  ["src/hosts/dbos"],
  ["src/hosts/cli"],
];
const outside: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^node:/, ["src/adapters", "src/hosts/node", "src/hosts/dbos", "src/hosts/cli", "src/testing"]],
  [/^xstate/, ["machines", "src/runtime"]],
  [/^(mdast|micromark)/, ["src/markdown"]],
  [/^(commander|ws$)/, ["src/hosts/cli"]],
  [/^yaml/, ["src/adapters"]],
  [/^(?:@dbos-inc|pg$)/, ["src/hosts/dbos"]],
  [/^@opentelemetry/, []],
];
const reserved: readonly (readonly [string, readonly string[]])[] = [
  ["src/adapters", ["src/hosts/node", "src/hosts/dbos", "src/agents"]],
  ["src/hosts/simulation", ["src/testing/index.ts"]],
];
const open = new Set(["src/ports"]);

const root = resolve(import.meta.dirname, "..");
const files = ["src", "machines"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
);
const importsOf = (file: string): string[] =>
  [
    ...readFileSync(join(root, file), "utf8").matchAll(
      /^(?:import|export)\b[^;]*?\bfrom "([^"]+)"|\bimport\("([^"]+)"\)/gms,
    ),
  ].map((match) => match[1] ?? match[2] ?? "");
const inside = (file: string, specifier: string): string =>
  relative(root, resolve(root, dirname(file), specifier)).replaceAll("\\", "/");
const folderOf = (file: string): string => {
  const folders = layers.flat();
  // An entry point may belong to another layer than its folder.
  return folders.find((folder) => file === folder) ?? folders.find((folder) => file.startsWith(`${folder}/`)) ?? "none";
};
const layerOf = (file: string): number => layers.findIndex((folders) => folders.includes(folderOf(file)));
const isDoor = (file: string): boolean => file.endsWith("/index.ts");

const edges = files.flatMap((file) =>
  importsOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => ({ file, target: inside(file, specifier) })),
);

describe("the house", () => {
  it("has files of at most 280 lines", () => {
    const lines = (file: string): number => readFileSync(join(root, file), "utf8").trimEnd().split("\n").length;
    expect(files.filter((file) => lines(file) > 280)).toEqual([]);
  });

  it("has a layer for every file", () => {
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
  });

  it("imports only existing files", () => {
    expect(edges.filter(({ target }) => !existsSync(join(root, target)))).toEqual([]);
  });

  it("imports only from lower layers, or within a folder", () => {
    const wrong = edges.filter(({ file, target }) => {
      if (isDoor(file) || open.has(folderOf(target))) return layerOf(target) > layerOf(file);
      return folderOf(file) !== folderOf(target) && layerOf(target) >= layerOf(file);
    });
    expect(wrong).toEqual([]);
  });

  it("has doors that no file inside imports", () => {
    expect(edges.filter(({ target }) => isDoor(target))).toEqual([]);
  });

  it("has folders that only some folders may import", () => {
    const wrong = edges.filter(({ file, target }) =>
      reserved.some(([folder, users]) => folderOf(target) === folder && ![folder, ...users].includes(folderOf(file))),
    );
    expect(wrong).toEqual([]);
  });

  it("imports an external module only in its folders", () => {
    const wrong = files.flatMap((file) =>
      importsOf(file).flatMap((specifier) =>
        outside
          .filter(([thing, folders]) => thing.test(specifier) && !folders.includes(folderOf(file)))
          .map(() => `${file} imports ${specifier}`),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("writes foreign texts into the page only as text", () => {
    const writes =
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|eval|srcdoc|createContextualFragment)\b/;
    const page = files.filter((file) => file.startsWith("src/hosts/page/browser/"));
    expect(page.length).toBeGreaterThan(5);
    expect(page.filter((file) => writes.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });

  it("has no import cycle", () => {
    const targets = new Map(
      files.map((file) => [file, edges.filter((edge) => edge.file === file).map((edge) => edge.target)]),
    );
    const done = new Set<string>();
    const visit = (file: string, path: readonly string[]): string[] => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
      if (done.has(file)) return [];
      const cycle = (targets.get(file) ?? [])
        .map((target) => visit(target, [...path, file]))
        .find(({ length }) => length > 0);
      done.add(file);
      return cycle ?? [];
    };
    expect(files.map((file) => visit(file, [])).find(({ length }) => length > 0) ?? []).toEqual([]);
  });

  it("has no clock, randomness, environment or console below the effects", () => {
    const forbidden = /\b(?:Date\.now|new Date\(\)|Math\.random|performance\.now|(?<!")process\.|console\.)/;
    const low = files.filter((file) => layerOf(file) < 3 || file.startsWith("machines/"));
    expect(low.filter((file) => forbidden.test(readFileSync(join(root, file), "utf8")))).toEqual([]);
  });
});
