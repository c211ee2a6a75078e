import { isAlias, isMap, isNode, isScalar, isSeq, visit, YAMLMap } from "yaml";
import { type OpenYaml, openYaml } from "./open-yaml.ts";
import { inPlaceOf, mapAt, putValue, type YamlValue } from "./put-value.ts";

/** The map under `failure_recovery` of a YAML text; without it, a map without keys. */
export interface RecoveryMap {
  /** A whole number; null when it is not given. */
  count(key: string, least: number): number | null;
  /** Null when it is not given. */
  text(key: string): string | null;
  /** Empty when it is not given. */
  list(key: string): readonly string[];
  /** The text with other values at these keys. Everything else stays, each comment included. */
  replace(values: Readonly<Record<string, YamlValue>>): string;
}

const name = "failure_recovery";

/** @throws {InputError} `yaml-malformed`, here and where a value is not of the kind that is asked for */
export function recoveryMap(yaml: string): RecoveryMap {
  const open = openYaml(yaml);
  const { document, malformed } = open;
  const targetOf = (node: unknown): unknown => (isAlias(node) ? node.resolve(document) : node);
  const map = mapIn(open, targetOf);
  const valueAt = <Value>(key: string, expected: string, read: (node: unknown) => Value | null): Value | null => {
    const node = targetOf(map?.get(key, true));
    if (isNothing(node)) return null;
    const value = read(node);
    if (value === null) throw malformed(node, `${name}.${key}`, expected);
    return value;
  };
  return {
    count: (key, least) =>
      valueAt(key, `a whole number of at least ${least}`, (node) => {
        const value = isScalar(node) ? node.value : null;
        return typeof value === "number" && Number.isSafeInteger(value) && value >= least ? value : null;
      }),
    text: (key) => valueAt(key, "a text", textOf),
    list: (key) =>
      valueAt(key, "a list of texts", (node) => {
        const texts = isSeq(node) ? node.items.map((item) => textOf(targetOf(item))) : [null];
        return texts.every((text) => text !== null) ? texts : null;
      }) ?? [],
    replace(values) {
      const own = ownMap(open);
      for (const [key, value] of Object.entries(values)) putValue(own, key, value);
      const text = document.toString({ lineWidth: 0 });
      return yaml.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
    },
  };
}

const isNothing = (node: unknown): boolean =>
  node === undefined || node === null || (isScalar(node) && node.value === null);

/** A hash may read like a number. */
function textOf(node: unknown): string | null {
  if (!isScalar(node)) return null;
  if (typeof node.value === "string") return node.value;
  return typeof node.value === "number" ? (node.source ?? String(node.value)) : null;
}

function mapIn({ document, malformed }: OpenYaml, targetOf: (node: unknown) => unknown): YAMLMap | null {
  const { contents } = document;
  if (isNothing(contents)) return null;
  if (!isMap(contents)) throw malformed(contents, "the document", "a map of keys and values");
  const found = targetOf(contents.get(name, true));
  if (isNothing(found)) return null;
  if (!isMap(found)) throw malformed(found, name, "a map of keys and values");
  return found;
}

/** The map to write to. It must not be shared by an alias, or other places would change as well. */
function ownMap({ document, malformed }: OpenYaml): YAMLMap {
  const contents = isMap(document.contents) ? document.contents : inPlaceOf(document.contents, new YAMLMap());
  document.contents = contents;
  const found = contents.get(name, true);
  visit(isNode(found) ? found : null, (_, node) => {
    if (!isAlias(node) && !(isNode(node) && "anchor" in node && node.anchor !== undefined)) return;
    throw malformed(node, name, "no anchors and aliases where something is to be written");
  });
  return mapAt(contents, name);
}
