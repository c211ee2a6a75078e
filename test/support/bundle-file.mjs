import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "vite";

const root = resolve(import.meta.dirname, "../..");

/** Makes a program of `measure.ts`; answers its path and what takes it away. */
export async function bundleMeasure() {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "faults-"));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "test/faults/measure.ts",
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "measure.mjs" } },
    },
  });
  return { file: join(folder, "measure.mjs"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
