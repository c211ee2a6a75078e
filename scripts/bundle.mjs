// Bundles what is loaded by Node, for few files are read sooner than hundreds: the command line with its dependencies, and
// the doors of the library without. Bundlers get the library as the compiler has written it, of which they leave out what
// is not used. A process of the command loads no door.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const room = "src/hosts/cli";
/** What `main` loads. */
const parts = ["run-cli", "render-error"];
const readsManifest = /(?:nodeModule\.)?createRequire\(import\.meta\.url\)\("fixpoint\/package\.json"\)/g;

/**
 * Write the command line into few files of CommonJS, which Node loads sooner than modules.
 *
 * @param {string} folder Of the build, inside of the package; what is in its `src/hosts/cli` is lost.
 */
export async function bundleCommand(folder) {
  const own = join(folder, room);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  // The program must not load what starts it, which would begin anew.
  const starter = await bundle(own, ["main"], parts);
  const program = await bundle(own, parts, []);
  writeFileSync(join(own, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(own, "THIRD-PARTY-LICENSES"), licencesOf([...starter, ...program]));
}

/**
 * Write the doors of the library into few files that they share, so that each class exists once.
 *
 * @param {string} folder Of the build.
 */
export async function bundleDoors(folder) {
  const own = join(folder, "doors");
  rmSync(own, { recursive: true, force: true });
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const doors = Object.values(exports).filter((door) => typeof door === "object");
  const nameOf = ({ node }) => /^\.\/dist\/doors\/(.+)\.js$/.exec(node)[1];
  const sourceOf = ({ default: path }) => join(root, path.replace(/^\.\/dist\//, "").replace(/\.js$/, ".ts"));
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(doors.map((door) => [nameOf(door), sourceOf(door)])),
    external: /^[^./]/,
    ...shared,
  });
  const { output } = await build.write({ dir: own, format: "esm", ...names });
  await build.close();
  for (const { fileName, code } of output) writeFileSync(join(own, fileName), inAscii(code));
}

const shared = {
  platform: "node",
  logLevel: "warn",
  onLog: (_level, log) => {
    throw new Error(log.message);
  },
};

const names = {
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  comments: { legal: false, jsdoc: false, annotation: false },
};

async function bundle(folder, entries, outside) {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, join(root, room, `${entry}.ts`)])),
    external: outside.map((entry) => `./${entry}.ts`),
    ...shared,
    plugins: [{ name: "manifest", transform: { filter: { code: readsManifest }, handler: inlineManifest } }],
    // `ws` would else look for programs in machine code, which are not packed.
    transform: {
      target: "node20.19",
      define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    },
  });
  const paths = (id) => (id.endsWith(".ts") ? `./${basename(id, ".ts")}.js` : id);
  const { output } = await build.write({ dir: folder, format: "cjs", paths, ...names });
  await build.close();
  // What prints the code turns escapes back into characters.
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), inAscii(code));
  return output;
}

/** The bundled files are in a package of their own, from which that of fixpoint cannot be named. */
function inlineManifest(code) {
  const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { code: code.replaceAll(readsManifest, JSON.stringify({ version, engines })), map: null };
}

/** A file with one other character would be decoded, and kept, at twice its size by every start. */
function inAscii(code) {
  // As raw text, and behind a backslash, an escape is another text.
  const raw = /\bString\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code);
  if (raw !== null)
    throw new Error(`Cannot write ${JSON.stringify(raw[0])} in ASCII, expected an escape in the source`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The licence of each package of which something is in these files. */
function licencesOf(chunks) {
  const folders = chunks.flatMap(({ moduleIds }) =>
    moduleIds.map((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]),
  );
  const texts = [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map(licenceOf);
  return `The command line contains these packages.\n\n${texts.join("\n")}`;
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e(?:\.\w+)?$/i.test(each));
  if (file === undefined) throw new Error(`Cannot find the licence of ${name}, expected a file LICENSE in ${folder}`);
  return `## ${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await bundleCommand(join(root, "dist"));
  await bundleDoors(join(root, "dist"));
}
