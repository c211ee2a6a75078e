import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "vite";

/** Makes JavaScript of the campaigns, which are TypeScript; inside the package, so that it finds its dependencies. */
export async function bundleCampaigns(root) {
  mkdirSync(join(root, "reports"), { recursive: true });
  const folder = mkdtempSync(join(root, "reports", "campaign-"));
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "test/campaigns/index.ts",
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: { output: { entryFileNames: "campaigns.mjs" } },
    },
  });
  return {
    file: join(folder, "campaigns.mjs"),
    folder,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
