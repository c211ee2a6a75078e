import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix, resolve } from "node:path";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "..");

describe("the packed package", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  const words = ["pack", "--dry-run", "--json", "--ignore-scripts"];
  const [{ files }] = JSON.parse(execFileSync("npm", words, { cwd: root, encoding: "utf8", stdio: "pipe" }));
  const packed = new Set<string>(files.map(({ path }: { path: string }) => path));

  it("names no source map that it does not hold", () => {
    const built = [...packed].filter((path) => path.startsWith("dist/") && path.endsWith(".ts"));
    expect(built.length).toBeGreaterThan(100);
    const named = [...packed].flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(/^\/\/# sourceMappingURL=(.*)$/gm)].map(([, map = ""]) =>
        posix.join(posix.dirname(path), map),
      ),
    );
    expect(named.filter((path) => !packed.has(path))).toEqual([]);
  });

  it("holds what its README links to", () => {
    const readme = readFileSync(join(root, "README.md"), "utf8");
    const links = [...readme.matchAll(/\]\(([^)\s#]+)/g)].flatMap(([, link = ""]) =>
      /^\w+:/.test(link) ? [] : [link],
    );
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter((link) => !packed.has(posix.normalize(link)))).toEqual([]);
    expect([...packed].filter((path) => path.startsWith("schema/"))).not.toEqual([]);
  });

  it("has no script that npm runs where it is installed", () => {
    const atInstall = ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare", "prepublish"];
    expect(Object.keys(manifest.scripts).filter((name) => atInstall.includes(name))).toEqual([]);
  });
});
