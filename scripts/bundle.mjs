// Bundles what is packed, for few files are read sooner than hundreds: the command line with its dependencies, the doors of
// the library without, and their declarations. A process of the command loads no door.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const room = "src/hosts/cli";
/** What only those have who use a queue. */
const engine = ["@dbos-inc/dbos-sdk", "pg"];
/** What `main` loads. */
const parts = ["run-cli", "render-error"];
/** What a browser loads: text of a third of a megabyte, which the command and a door have in common. */
const page = "src/hosts/page/generated/parts";
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
  await bundlePage(folder);
  writeFileSync(join(own, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(own, "THIRD-PARTY-LICENSES"), licencesOf([...starter, ...program]));
}

/**
 * Write the doors of the library into few files that they share, so that each class exists once. The page of one of them is
 * what `bundleCommand` writes.
 *
 * @param {string} folder Of the build.
 */
export async function bundleDoors(folder) {
  const own = join(folder, "doors");
  rmSync(own, { recursive: true, force: true });
  const build = await rolldown({
    cwd: root,
    input: doorsOf((source) => join(root, `${source}.ts`)),
    external: [/^[^./]/, isPage],
    ...shared,
    plugins: [{ name: "pure-values", transform: { filter: { id: /\.ts$/ }, handler: withPureValues } }],
  });
  const paths = (id) => (isPage.test(id) ? "../page.cjs" : id);
  const comments = { ...names.comments, annotation: true };
  // Bundlers leave out what is not used, whatever file it is in: rooms without Node need no file for each set of users.
  const codeSplitting = {
    groups: [{ name: "core", test: /\/src\/(?:model|digest|parse|markdown|recover|evidence|prompt|wording|run)\// }],
  };
  const { output } = await build.write({ dir: own, format: "esm", paths, ...names, comments, codeSplitting });
  await build.close();
  for (const { fileName, code } of output) writeFileSync(join(own, fileName), inAscii(code));
}

/**
 * Write the declarations of the doors beside them.
 *
 * @param {string} folder Of the build, with the declarations that the compiler has written.
 */
export async function bundleDeclarations(folder) {
  const build = await rolldown({
    cwd: root,
    input: doorsOf((source) => join(folder, `${source}.d.ts`)),
    external: /^[^./]/,
    ...shared,
    plugins: [oneZod, dts({ dtsInput: true, tsconfig: false })],
  });
  const { output } = await build.write({
    dir: join(folder, "doors"),
    format: "esm",
    entryFileNames: "[name].ts",
    chunkFileNames: ({ name }) => `${name.replace(/\.d$/, "")}-[hash].d.ts`,
    minifyInternalExports: false,
    // Two files declare a type of the same name, one of which would get another name.
    codeSplitting: {
      groups: [
        { name: "git", test: /adapters\/git\b/ },
        {
          name: "types",
          test: /\/src\/(?:ports\/|hosts\/node\/(?:run|start)-options|runtime\/run-control|model\/(?:status|reply)\b)/,
        },
      ],
    },
  });
  await build.close();
  for (const { fileName, code } of output) {
    const renamed = /\b\w+\$\d+\b/.exec(code);
    if (renamed !== null)
      throw new Error(`Cannot declare ${renamed[0]} in ${fileName}, expected one type of that name`);
    writeFileSync(join(folder, "doors", fileName), withLinesForComments(code));
  }
}

/** Puts each comment on lines of its own: behind other text of a line, editors do not take it for that of what follows. */
function withLinesForComments(code) {
  return code.replace(/([ \t]*)(\/\*\*\s[\s\S]*?\*\/)[ \t]*(\n[ \t]*)?/g, (_all, before, comment, after, start) => {
    const line = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
    const own = line === "" ? `\n${before}` : `\n${/^[ \t]*/.exec(line)[0]}  `;
    const next = after ?? own;
    return `${line === "" ? next.slice(1) : next}${comment}${next}`;
  });
}

/** Zod imported in two ways would have two names. */
const oneZod = {
  name: "one-zod",
  transform: {
    filter: { code: /^import type \{ z \} from "zod";$/m },
    handler: (code) => code.replace(/^import type \{ z \} from "zod";$/m, 'import type * as z from "zod";'),
  },
};

/** The source of each door, by the name of its bundle. */
export const sources = {
  index: "src/index",
  run: "src/runtime/index",
  machines: "machines/index",
  node: "src/hosts/node/index",
  agents: "src/agents/index",
  dbos: "src/hosts/dbos/index",
  testing: "src/testing/index",
  "testing/contracts": "src/testing/contracts",
  "testing/arbitraries": "src/testing/arbitraries",
};

const doorsOf = (pathOf) => Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, pathOf(source)]));

const isPage = /\bpage\/generated\/parts\.ts$/;

/** Modules and CommonJS can both load this. */
async function bundlePage(folder) {
  const build = await rolldown({ cwd: root, input: { page: join(root, `${page}.ts`) }, ...shared });
  const { output } = await build.write({ dir: folder, format: "cjs", ...names, entryFileNames: "[name].cjs" });
  await build.close();
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), inAscii(code));
}

/** Says of each value that making it does nothing else, as `sideEffects` does of a file: bundlers leave out what is not used. */
function withPureValues(source, id) {
  const textOf = ({ start, end }) => source.slice(start, end);
  const found = parseAst(source, { lang: "ts" }).body.flatMap((statement) => {
    if (statement.type === "ExpressionStatement")
      throw new Error(`Cannot leave out \`${textOf(statement)}\` of ${id}, expected declarations alone`);
    const { declarations = [] } = statement.declaration ?? statement;
    return declarations.flatMap(({ init }) => (init === null || isPlain(init) ? [] : [init]));
  });
  const code = found.reduceRight(
    (text, init) => `${text.slice(0, init.start)}/* @__PURE__ */ (() => (${textOf(init)}))()${text.slice(init.end)}`,
    source,
  );
  return { code, map: null };
}

/** Making one of these runs nothing. */
function isPlain(node) {
  switch (node.type) {
    case "Literal":
    case "Identifier":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "ArrayExpression":
      return node.elements.every(isPlain);
    case "ObjectExpression":
      return node.properties.every(({ type, computed, value }) => type === "Property" && !computed && isPlain(value));
    default:
      return false;
  }
}

const shared = {
  platform: "node",
  logLevel: "warn",
  // How long a plugin takes says nothing of what is built.
  checks: { bundlerTimings: false },
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
    external: [...outside.map((entry) => `./${entry}.ts`), isPage, ...engine],
    ...shared,
    plugins: [
      { name: "manifest", transform: { filter: { code: readsManifest }, handler: inlineManifest } },
      { name: "fleet", transform: { filter: { id: loadedForFleets }, handler: withRun } },
    ],
    // `ws` would else look for programs in machine code, which are not packed.
    transform: {
      target: "node20.19",
      define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    },
  });
  const paths = (id) => {
    if (isPage.test(id)) return "../../../page.cjs";
    return id.endsWith(".ts") ? `./${basename(id, ".ts")}.js` : id;
  };
  // Nobody imports it: names inside of functions may be short. Lines stay, for stacks.
  const minify = { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: false } };
  // What several commands have in common would else be cut into a file for each set of them.
  const codeSplitting = {
    groups: [
      {
        name: "small",
        test: /\/src\/(?:markdown\/text\/plain-line|model\/(?:file-names|text|command-line|create-queue|errors|status)|runtime\/stately-definition|wording\/(?:escape-text|render-time|role-words|tell-proof)|hosts\/cli\/cli-command)\.ts$/,
      },
    ],
  };
  // What is outside of the starter is CommonJS: `import()` looks through its text for exports, which takes longer than to
  // load it. What is outside of the program, such as a server of MCP, may be modules.
  const dynamicImportInCjs = outside.length === 0;
  const form = { format: "cjs", paths, minify, ...names, codeSplitting, dynamicImportInCjs };
  const { output } = await build.write({ dir: folder, ...form });
  await build.close();
  // What prints the code turns escapes back into characters.
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), inAscii(code));
  return output;
}

/** What they need of a run would be cut into a file for each set of those who need it: they load all that a run does. */
const loadedForFleets = /\/src\/hosts\/(?:cli\/commands\/fleet|dbos\/(?:fleet|open-run))\.ts$/;
const withRun = (code) => ({
  code: `import ${JSON.stringify(join(root, room, "perform-run.ts"))};\n${code}`,
  map: null,
});

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
  await bundleDeclarations(join(root, "dist"));
}
