import { join } from "node:path";
import { build } from "vite";

/** What is started, or imported by programs of their own. */
const doors = ["src/hosts/cli/main", "src/hosts/node/index", "test/testing/hosts/perform-effect"];

/**
 * Builds the program in few files, for those who start it a thousand times: most of a start is reading hundreds.
 *
 * @param {string} root Folder of the package.
 * @param {string} folder Inside of it, so that the program finds its version. What it holds is lost.
 * @returns {Promise<unknown>}
 */
export const bundleProgram = (root, folder) =>
  build({
    root,
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true },
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
