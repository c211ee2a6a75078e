const of = (name, rest) => ({ tool: "node", name, command: "node a.mjs", ...rest });

export const family = {
  name: "node",
  version: "node --version",
  cases: [
    of("throws", {
      files: {
        "a.mjs": 'console.log("starts");\nfunction run() {\n  throw new TypeError("no such thing: 3");\n}\nrun();\n',
      },
      expected: ["TypeError: no such thing: 3"],
      at: { "TypeError: no such thing: 3": "a.mjs:3" },
    }),
    of("syntax-error", { files: { "a.mjs": "const = 1;\n" }, expected: ["SyntaxError: Unexpected token '='"] }),
    of("missing-module", {
      files: { "a.mjs": 'import { gone } from "./gone.mjs";\ngone();\n' },
      expected: ["Error [ERR_MODULE_NOT_FOUND]: Cannot find module 'gone.mjs' imported from a.mjs"],
    }),
    of("caught", {
      files: {
        "a.mjs":
          'try {\n  throw new Error("caught");\n} catch (error) {\n  console.error(error);\n}\nconsole.log("Error: 1 failed");\n',
      },
      expected: [],
    }),
  ],
};
