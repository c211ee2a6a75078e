// Compares the exported declarations of each import path with the committed reports, and fails if one differs;
// `--write` updates the reports.
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "test/fixtures/api");
const longest = 100_000;
const declaration = /^(?:export )?(?:declare )?(?:abstract )?(const|function|class|interface|type) ([\w$]+)/;

const known = { exports: new Map(), statements: new Map() };

const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const doors = Object.entries(exports).filter(([, target]) => typeof target === "object");
async function main() {
  const reports = await writeReports();
  if (process.argv.includes("--write")) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const [file, text] of Object.entries(reports)) writeFileSync(join(folder, file), text);
    return;
  }
  const committed = Object.fromEntries(
    readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), "utf8")]),
  );
  const files = Object.keys({ ...committed, ...reports }).filter((file) => committed[file] !== reports[file]);
  for (const file of files) {
    const lines = differingLines(committed[file] ?? "", reports[file] ?? "");
    process.stderr.write(`test/fixtures/api/${file} differs from the declarations of the build\n${lines.join("\n")}\n`);
  }
  if (files.length > 0) process.stderr.write("If that is intended: npm run build && node scripts/api.mjs --write\n");
  else process.stdout.write(`${Object.keys(reports).length} API reports match the declarations of the build\n`);
  process.exitCode = files.length > 0 ? 1 : 0;
}

function differingLines(before, after) {
  const only = (sign, own, other) => {
    const lines = new Set(other.split("\n"));
    return own.split("\n").flatMap((line) => (lines.has(line) ? [] : [`${sign} ${line.slice(0, 200)}`]));
  };
  return [...only("-", before, after), ...only("+", after, before)].slice(0, 20);
}

async function writeReports() {
  const all = {};
  const unnamed = new Map();
  const importable = new Set();
  for (const [path, { types, default: code }] of doors) {
    const name = `fixpoint${path.slice(1)}`;
    const values = new Set(Object.keys(await import(new URL(`../${code}`, import.meta.url).href)));
    const exported = exportsOf(resolve(root, types));
    const missing = [...values].filter((value) => !exported.has(value));
    if (missing.length > 0) throw new Error(`Cannot find the declarations of ${missing.join(", ")} in ${types}`);
    const listed = new Map();
    for (const [id, { name: own, declared }] of closureOf([...exported.values()])) {
      for (const [kind, text] of declared) {
        const canImport = exported.has(own) && idOf(exported.get(own)) === id && (values.has(own) || isType.has(kind));
        (canImport ? listed : unnamed).set(`${id} ${kind}`, text);
      }
    }
    for (const id of listed.keys()) importable.add(id);
    all[`${name.replaceAll("/", "-")}.api.md`] = reportOf(`\`${name}\``, listed);
  }
  for (const id of importable) unnamed.delete(id);
  return { ...all, "named-by-types.api.md": reportOf("Types used by these types", unnamed) };
}

const isType = new Set(["type", "interface"]);
const idOf = ({ name, file }) => `${name} ${file.slice(root.length)}`;

function closureOf(open) {
  const found = new Map();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(idOf(next))) continue;
    const { declared, named } = declarationOf(next);
    found.set(idOf(next), { ...next, declared });
    open.push(...named);
  }
  return found;
}

function reportOf(title, listed) {
  const sorted = [...listed].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, text]) => text);
  return `# ${title}\n\nWritten by \`node scripts/api.mjs --write\`.\n\n\`\`\`ts\n${sorted.join("\n")}\n\`\`\`\n`;
}

function exportsOf(file) {
  if (known.exports.has(file)) return known.exports.get(file);
  const all = new Map();
  known.exports.set(file, all);
  for (const statement of statementsOf(file)) {
    const from = /from "(\.[^"]+)";$/.exec(statement)?.[1];
    const list = /^export (?:type )?\{([^}]*)\}/.exec(statement)?.[1];
    const own = nameOf(statement);
    if (own !== undefined && statement.startsWith("export ")) all.set(own, { name: own, file });
    else if (from !== undefined && /^export (?:type )?\*/.test(statement)) {
      for (const [name, place] of exportsOf(declarationFile(file, from))) all.set(name, place);
    } else if (list !== undefined) {
      const here = new Map(statementsOf(file).flatMap((each) => knownBy(each, file)));
      for (const { name, alias } of namesIn(list)) {
        const place = from === undefined ? here.get(name) : exportsOf(declarationFile(file, from)).get(name);
        all.set(alias, place);
      }
    }
  }
  return all;
}

function declarationOf({ name, file }) {
  const statements = statementsOf(file);
  const own = statements.filter((statement) => nameOf(statement) === name);
  if (own.length === 0) throw new Error(`Cannot find the declaration of ${name} in ${file}`);
  const here = new Map(statements.flatMap((statement) => knownBy(statement, file)));
  const words = new Set(own.join("\n").match(/[A-Za-z_$][\w$]*/g));
  const named = [...here].filter(([word]) => words.has(word) && word !== name).map(([, place]) => place);
  return { declared: own.map((statement) => [kindOf(statement), shortened(statement)]), named };
}

function shortened(statement) {
  const text = statement.replace(/^export (?:declare )?|^declare /, "");
  if (text.length <= longest) return text;
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
  return `${text.slice(0, 1000)}\n/* … ${text.length} characters, ${hash} */`;
}

function knownBy(statement, file) {
  const own = nameOf(statement);
  if (own !== undefined) return [[own, { name: own, file }]];
  const [, list, from] = /^import (?:type )?\{([^}]*)\} from "(\.[^"]+)";$/.exec(statement) ?? [];
  if (list === undefined) return [];
  return namesIn(list).map(({ name, alias }) => [alias, exportsOf(declarationFile(file, from)).get(name)]);
}

function namesIn(list) {
  return list
    .split(",")
    .map((each) => each.trim().replace(/^type /, ""))
    .filter((each) => each !== "")
    .map((each) => {
      const [name, alias = name] = each.split(" as ");
      return { name, alias };
    });
}

const nameOf = (statement) => declaration.exec(statement)?.[2];
const kindOf = (statement) => declaration.exec(statement)?.[1];

function declarationFile(file, specifier) {
  return resolve(dirname(file), specifier.replace(/\.ts$/, ".d.ts").replace(/\.js$/, ".d.ts"));
}

/** Relies on the format of the build, in which only the first line of a statement is not indented. */
function statementsOf(file) {
  const before = known.statements.get(file);
  if (before !== undefined) return before;
  const text = readFileSync(file, "utf8").replace(/^[ \t]*\/\*\*[\s\S]*?\*\/\n?/gm, "");
  const statements = text.split(/\n(?=[^\s})\]|&])/).map((each) => each.trim());
  known.statements.set(file, statements);
  return statements;
}

await main();
