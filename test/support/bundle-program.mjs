import { join } from "node:path";
import { build } from "vite";
import { bundleCommand } from "../../scripts/bundle.mjs";

/** What is imported by programs of their own. */
const doors = ["src/hosts/node/index", "test/testing/hosts/perform-effect", "test/testing/hosts/fleet-worker"];

/**
 * Builds the command as it is published, and in few files what programs of tests import: most of a start is reading
 * hundreds.
 *
 * @param {string} root Folder of the package.
 * @param {string} folder Inside of it, so that the program finds its version. What it holds is lost.
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
