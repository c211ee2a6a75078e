import { join } from "node:path";
import { build } from "vite";
import { bundleCommand } from "../../scripts/bundle.mjs";

const doors = ["src/hosts/node/index", "test/testing/hosts/perform-effect", "test/testing/hosts/fleet-worker"];

/**
 * Builds the published command, and bundles modules that test programs import, because separate files load slowly.
 *
 * @param {string} root Root of the package.
 * @param {string} folder Output folder inside the root, where the program finds its version.
 */
export async function bundleProgram(root, folder) {
  await build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, external: ["@dbos-inc/dbos-sdk", "pg"] },
    build: {
      ssr: true,
      outDir: folder,
      target: "node20",
      minify: false,
      rolldownOptions: {
        input: Object.fromEntries(doors.map((door) => [door, join(root, `${door}.ts`)])),
        output: { entryFileNames: "[name].js" },
      },
    },
  });
  await bundleCommand(folder);
}
