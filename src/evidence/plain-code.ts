/** Matches files of JavaScript and TypeScript. */
export const isJs = /\.[cm]?[jt]sx?$/;
const joined = /\[((?:\s{0,9}(?:"[\w.:/-]{0,40}"|'[\w.:/-]{0,40}'),?){1,20})\s{0,9}\]\.join\(["']([^"'\n]{0,3})["']\)/g;
const added = /(["'`])([\w.:/-]{0,60})\1\s{0,9}\+\s{0,9}(["'`])([\w.:/-]{0,60})\3/g;
const constant = /\b(?:const|let|var) ([A-Za-z_$][\w$]{0,40})(?:: \w{1,20})?\s{0,4}=\s{0,4}["'`](\w{1,40})["'`]/g;
const named = /(?<=[\w$)\]])(?:\?\.)?\[\s{0,4}["'`]([A-Za-z_$][\w$]{0,40})["'`]\s{0,4}\]/g;
const key = /([{,]\s{0,20})\[\s{0,4}["'`]([A-Za-z_$][\w$]{0,40})["'`]\s{0,4}\]\s{0,4}:/g;
const thisOf = /\b(?:new )?Function\(["'`]return this;?["'`]\)\(\)|\(0,\s?eval\)\(["'`]this["'`]\)/g;
const roots = /\b(?:globalThis|global)\.(?=(?:process|Object|Reflect|JSON|Array|Math|Number|String|Function)\b)/g;
const alias =
  /\b(?:const|let|var) ([A-Za-z_$][\w$]{0,40})\s{0,4}=\s{0,4}\(?(globalThis|global|process|Object)(?: as \w{1,20}\))?\s{0,4}(?=[;\n]|$)/g;
const fromProcess = /\bimport \{([^}\n]{1,200})\} from ["'](?:node:)?process["']/g;
/** Each round may reveal another alias. */
const mostRounds = 4;

/**
 * Write out computed names of JavaScript: joined strings, constant keys, and aliases of global objects. So
 * `g["ex" + "it"]()` becomes a plain call of `exit` if `g` is an alias of `process`. Other text is unchanged.
 */
export function plainCode(path: string, text: string): string {
  if (!isJs.test(path)) return text;
  let plain = text;
  for (let round = 0; round < mostRounds; round += 1) {
    const before = plain;
    plain = plain
      .replace(joined, (_, parts: string, between: string) =>
        JSON.stringify(Array.from(parts.matchAll(/["']([^"']*)["']/g), ([, part = ""]) => part).join(between)),
      )
      .replace(added, (_, __, one: string, ___, other: string) => JSON.stringify(one + other));
    for (const [, name = "", value = ""] of plain.matchAll(constant)) {
      plain = plain.replaceAll(`[${name}]`, `[${JSON.stringify(value)}]`);
    }
    plain = plain.replace(key, "$1$2:").replace(named, ".$1").replace(thisOf, "globalThis").replace(roots, "");
    for (const [, name = "", root = ""] of plain.matchAll(alias)) plain = withName(plain, name, root);
    for (const [, names = ""] of plain.matchAll(fromProcess)) {
      for (const [, member = "", own = member] of names.matchAll(/(\w+)(?: as (\w+))?/g))
        plain = withName(plain, own, ["process", member].join("."));
    }
    if (plain === before) return plain;
  }
  return plain;
}

/** Replace a name by another one, except where it is declared, imported or a member. */
const withName = (text: string, name: string, other: string): string =>
  text.replace(/^.*$/gm, (line) =>
    /^\s{0,20}import\b/.test(line)
      ? line
      : line.replace(/(?<!(?:const|let|var|function|class) |[\w$.])[A-Za-z_$][\w$]*(?!\s{0,4}:)/g, (word) =>
          word === name ? other : word,
        ),
  );
