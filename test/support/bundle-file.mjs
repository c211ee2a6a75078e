import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "vite";

/**
 * Bundles a TypeScript file into a file inside the package, where Node finds its dependencies.
 *
 * @param {string} root Root of the package.
 * @param {string} entry Path of the file, relative to the root.
 */
export async function bundleFile(root, entry) {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "bundle-"));
  const name = `${basename(entry, ".ts")}.mjs`;
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: entry,
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: name } },
    },
  });
  return { file: join(folder, name), folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
