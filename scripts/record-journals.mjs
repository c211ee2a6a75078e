// Records runs of every kind as fixtures for `test/hosts/replay-journals.long.test.ts`:
//   node scripts/record-journals.mjs v2            all runs, if a version decides differently
//   node scripts/record-journals.mjs v1            only missing runs
//   node scripts/record-journals.mjs v1 --expect   only the expected results of a replay
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = resolve(import.meta.dirname, "..");
const [version = "", option] = process.argv.slice(2);
if (!/^v\d+$/.test(version) || (option !== undefined && option !== "--expect")) {
  process.stderr.write("Usage: node scripts/record-journals.mjs v<n> [--expect]\n");
  process.exit(2);
}
mkdirSync(join(root, "reports"), { recursive: true });
const folder = mkdtempSync(join(root, "reports", "journals-"));
// Use a separate state folder: marks in the user's own folder would report the truncated journals as damaged.
process.env.XDG_STATE_HOME = join(folder, "state");
try {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "test/support/journals/record-journals.ts",
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "record.mjs" } },
    },
  });
  const { recordJournals, expectAnew } = await import(pathToFileURL(join(folder, "record.mjs")).href);
  const journals = join(root, "test/fixtures/journals", version);
  await (option === "--expect" ? expectAnew(journals) : recordJournals(journals));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
