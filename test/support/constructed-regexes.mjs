// Prints regular expressions that a build creates with `new RegExp`.
// Usage: node constructed-regexes.mjs <folder of a build>
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const build = process.argv[2];
const made = new Map();
const place = /(file:\/\/\S+):(\d+):\d+\)?$/;

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, args) {
    const expression = Reflect.construct(target, args);
    const [, file, line] = place.exec(new Error().stack.split("\n")[2] ?? "") ?? [];
    const name = file === undefined ? "" : relative(build, fileURLToPath(file));
    if (name !== "" && !name.startsWith("..")) {
      const { source, flags } = expression;
      made.set(`${name}:${line} ${source} ${flags}`, { file: name, line: Number(line), source, flags });
    }
    return expression;
  },
});

const load = (file) => import(pathToFileURL(join(build, file)).href);
for (const door of ["src/index.js", "machines/index.js", "src/hosts/node/index.js", "src/testing/index.js"]) {
  await load(door);
}

// Reading a text constructs further expressions.
const { readPlan } = await load("src/markdown/document/plan-document.js");
for (const fence of ["```", "~~~~"]) {
  readPlan(`- [ ] 1.1 One\n\n${fence}\nopen\n`);
  readPlan(`- [ ] 1.1 One\n\n${fence}\nclosed\n${fence}\n`);
}
const { appendCompleted } = await load("src/markdown/progress/append-entry.js");
appendCompleted("## Completed Tasks\n- [x] 1.1 One\n", { task: "1.1", title: "One", commit: null });
const { encodeText } = await load("src/markdown/text/encode-text.js");
encodeText("***", "");

process.stdout.write(JSON.stringify([...made.values()]));
