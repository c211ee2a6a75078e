import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type AnyNode, parse } from "acorn";

export interface WrittenRegex {
  readonly file: string;
  readonly line: number;
  readonly source: string;
  readonly flags: string;
}

export interface RegexesOfBuild {
  readonly literals: readonly WrittenRegex[];
  readonly constructions: readonly string[];
}

export function findRegexes(folder: string): RegexesOfBuild {
  const literals: WrittenRegex[] = [];
  const constructions: string[] = [];
  for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".js")) continue;
    const code = readFileSync(join(folder, file), "utf8");
    visit(
      parse(code, { ecmaVersion: "latest", sourceType: "module", locations: true, allowHashBang: true }),
      (node) => {
        const line = node.loc?.start.line ?? 0;
        if (node.type === "Literal" && node.regex != null) {
          literals.push({ file, line, source: node.regex.pattern, flags: node.regex.flags });
        }
        if (node.type !== "NewExpression" && node.type !== "CallExpression") return;
        if (node.callee.type === "Identifier" && node.callee.name === "RegExp") constructions.push(`${file}:${line}`);
      },
    );
  }
  return { literals, constructions };
}

function visit(node: AnyNode, see: (node: AnyNode) => void): void {
  see(node);
  for (const child of Object.values(node).flat()) {
    if (typeof child === "object" && child !== null && "type" in child) visit(child as AnyNode, see);
  }
}
