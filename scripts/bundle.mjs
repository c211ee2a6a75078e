// Bundles the package into a few files, which load faster than hundreds: the command line with its dependencies, and
// the library without them. The command line must load no entry point of the library.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";
import { dts } from "rolldown-plugin-dts";

const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "");
const room = "src/hosts/cli";
const engine = ["@dbos-inc/dbos-sdk", "pg"];
const parts = ["run-cli", "render-error"];
const page = "src/hosts/page/generated/parts";
const readsManifest = /(?:nodeModule\.)?createRequire\(import\.meta\.url\)\("fixpoint\/package\.json"\)/g;

/**
 * Uses CommonJS, which Node loads faster than ES modules.
 *
 * @param {string} folder Folder of the build, in which `src/hosts/cli` is replaced.
 */
export async function bundleCommand(folder) {
  const own = join(folder, room);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  // The program must not load `main`, which would start the program again.
  const starter = await bundle(own, ["main"], parts);
  const program = await bundle(own, parts, []);
  await bundlePage(folder);
  writeFileSync(join(own, "package.json"), '{ "type": "commonjs" }\n');
  writeFileSync(join(own, "THIRD-PARTY-LICENSES"), licencesOf([...starter, ...program]));
}

/**
 * Bundles all entry points together, because each class must exist only once.
 *
 * @param {string} folder Folder of the build, in which `bundleCommand` has written the page.
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
  // Put all code that works without Node into one file: otherwise each set of entry points would get its own shared
  // file.
  const codeSplitting = {
    groups: [{ name: "core", test: /\/src\/(?:model|digest|parse|markdown|recover|evidence|prompt|wording|run)\// }],
  };
  const { output } = await build.write({ dir: own, format: "esm", paths, ...names, comments, codeSplitting });
  await build.close();
  for (const { fileName, code } of output) writeFileSync(join(own, fileName), inAscii(code));
}

/** @param {string} folder Folder of the build, with the declarations of the compiler. */
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
    // Two files declare a type of the same name; in a shared file, the bundler would rename one of the types.
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

/** Editors ignore a comment if other text precedes it on its line. */
function withLinesForComments(code) {
  return code.replace(/([ \t]*)(\/\*\*\s[\s\S]*?\*\/)[ \t]*(\n[ \t]*)?/g, (_all, before, comment, after, start) => {
    const line = code.slice(code.lastIndexOf("\n", start - 1) + 1, start);
    const own = line === "" ? `\n${before}` : `\n${/^[ \t]*/.exec(line)[0]}  `;
    const next = after ?? own;
    return `${line === "" ? next.slice(1) : next}${comment}${next}`;
  });
}

/** Unifies the imports of Zod, because two forms would give Zod two names in the bundle. */
const oneZod = {
  name: "one-zod",
  transform: {
    filter: { code: /^import type \{ z \} from "zod";$/m },
    handler: (code) => code.replace(/^import type \{ z \} from "zod";$/m, 'import type * as z from "zod";'),
  },
};

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

async function bundlePage(folder) {
  const build = await rolldown({ cwd: root, input: { page: join(root, `${page}.ts`) }, ...shared });
  const { output } = await build.write({ dir: folder, format: "cjs", ...names, entryFileNames: "[name].cjs" });
  await build.close();
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), inAscii(code));
}

/** Marks values as free of side effects, because bundlers then drop unused values. */
function withPureValues(source, id) {
  const textOf = ({ start, end }) => source.slice(start, end);
  const found = parseAst(source, { lang: "ts" }).body.flatMap((statement) => {
    if (statement.type === "ExpressionStatement")
      throw new Error(
        `Cannot mark \`${textOf(statement)}\` in ${id} as free of side effects, expected only declarations`,
      );
    const { declarations = [] } = statement.declaration ?? statement;
    return declarations.flatMap(({ init }) => (init === null || isPlain(init) ? [] : [init]));
  });
  const code = found.reduceRight(
    (text, init) => `${text.slice(0, init.start)}/* @__PURE__ */ (() => (${textOf(init)}))()${text.slice(init.end)}`,
    source,
  );
  return { code, map: null };
}

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
  // Warnings about slow plugins do not concern the result.
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
    // Stop `ws` from looking for native add-ons, which are not packed.
    transform: {
      target: "node20.19",
      define: { "process.env.WS_NO_BUFFER_UTIL": '"1"', "process.env.WS_NO_UTF_8_VALIDATE": '"1"' },
    },
  });
  const paths = (id) => {
    if (isPage.test(id)) return "../../../page.cjs";
    return id.endsWith(".ts") ? `./${basename(id, ".ts")}.js` : id;
  };
  // Keep lines, for readable stack traces.
  const minify = { compress: false, mangle: { toplevel: false }, codegen: { removeWhitespace: false } };
  // Put code that several commands share into one file: otherwise each set of commands would get a separate file.
  const codeSplitting = {
    groups: [
      {
        name: "small",
        test: /\/src\/(?:markdown\/text\/plain-line|model\/(?:file-names|text|command-line|create-queue|errors|status)|recover\/verify-error|runtime\/stately-message|wording\/(?:escape-text|render-time|role-words|tell-proof)|hosts\/cli\/cli-command)\.ts$/,
      },
      { name: "recorded", test: /\/src\/(?:run\/(?:run-before|past)|runtime\/recorded-run)\.ts$/ },
    ],
  };
  // Use `require` in the starter, because `import()` of CommonJS is slower. The program needs `import()` for ES
  // modules, such as the MCP server.
  const dynamicImportInCjs = outside.length === 0;
  const form = { format: "cjs", paths, minify, ...names, codeSplitting, dynamicImportInCjs };
  const { output } = await build.write({ dir: folder, ...form });
  await build.close();
  // The code printer turns escapes back into characters, so escape them again.
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), withoutIndent(inAscii(code)));
  return output;
}

/** Removes the indentation, a thirtieth of the packed bytes, except in the lines of template literals. */
function withoutIndent(code) {
  const templates = [];
  const look = (node) => {
    if (node === null || typeof node !== "object") return;
    if (node.type === "TemplateElement") templates.push(node);
    else for (const part of Object.values(node)) look(part);
  };
  look(parseAst(code));
  return code.replace(/^[ \t]+/gm, (indent, at) =>
    templates.some(({ start, end }) => start <= at && at <= end) ? indent : "",
  );
}

/** These files import all code of a run: otherwise each set of files that share code would get a separate file. */
const loadedForFleets = /\/src\/hosts\/(?:cli\/commands\/fleet|dbos\/(?:fleet|open-run))\.ts$/;
const withRun = (code) => ({
  code: `import ${JSON.stringify(join(root, room, "perform-run.ts"))};\n${code}`,
  map: null,
});

/** The bundled files are in a separate package, which cannot import the manifest of fixpoint. */
function inlineManifest(code) {
  const { version, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return { code: code.replaceAll(readsManifest, JSON.stringify({ version, engines })), map: null };
}

/** A single character outside ASCII would make Node decode the file and double its size in memory. */
function inAscii(code) {
  // Reject raw text and characters after a backslash, because an escape would change their meaning.
  const raw = /\bString\.raw`[^`]*[^\0-\x7f]|(?<!\\)(?:\\\\)*\\[^\0-\x7f]/.exec(code);
  if (raw !== null)
    throw new Error(`Cannot write ${JSON.stringify(raw[0])} in ASCII, expected an escape in the source`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

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
