const of = (name, command, rest) => ({ tool: "npm", name, command, ...rest });
const pkg = (value) => `${JSON.stringify(value, null, 2)}\n`;

export const family = {
  name: "npm",
  version: "npm --version",
  cases: [
    of("missing-script", "npm run nothing", {
      files: { "package.json": pkg({ name: "shop", scripts: { test: "true" } }) },
      expected: ['Missing script: "nothing"'],
    }),
    of("no-manifest", "npm test", { files: { "a.txt": "" }, expected: ["ENOENT"] }),
    of("broken-manifest", "npm test", { files: { "package.json": '{ "name": \n' }, expected: ["EJSONPARSE"] }),
    of("workspaces", "npm test --workspaces", {
      files: {
        "package.json": pkg({ name: "root", private: true, workspaces: ["a", "b"] }),
        "a/package.json": pkg({ name: "a", version: "1.0.0", scripts: { test: "sh -c 'exit 3'" } }),
        "b/package.json": pkg({ name: "b", version: "1.0.0", scripts: { test: "true" } }),
      },
      expected: ["a: test"],
    }),
    of("passing", "npm test", {
      files: { "package.json": pkg({ name: "shop", scripts: { test: "echo npm error code 1 is only text" } }) },
      expected: [],
    }),
  ],
};
