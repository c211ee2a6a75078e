import { isMap, isNode, isScalar, isSeq, type Node, Scalar, YAMLMap, YAMLSeq } from "yaml";

/** A value for a key. A list holds texts. */
export type YamlValue = number | string | readonly string[];

/** Give a key another value; the comments around and inside of the old one stay. */
export function putValue(map: YAMLMap, key: string, value: YamlValue): void {
  const before = map.get(key, true);
  if (typeof value === "object") refill(isSeq(before) ? before : putInPlace(map, key, new YAMLSeq()), value);
  else if (!isScalar(before) || before.value !== value) putInPlace(map, key, scalarOf(value));
}

/** The map at a key, created when there is nothing. */
export function mapAt(map: YAMLMap, key: string): YAMLMap {
  const before = map.get(key, true);
  return isMap(before) ? before : putInPlace(map, key, new YAMLMap());
}

/** A node with the comments of the one that it replaces. */
export function inPlaceOf<Made extends Node>(before: unknown, made: Made): Made {
  if (!isNode(before)) return made;
  made.commentBefore = before.commentBefore ?? null;
  made.comment = before.comment ?? null;
  if (before.spaceBefore !== undefined) made.spaceBefore = before.spaceBefore;
  return made;
}

function putInPlace<Made extends Node>(map: YAMLMap, key: string, made: Made): Made {
  map.set(key, inPlaceOf(map.get(key, true), made));
  return made;
}

/** Without quotes, a text of several lines can mean something else inside brackets. */
function scalarOf(value: number | string): Scalar {
  const scalar = new Scalar(value);
  if (typeof value === "string" && value.includes("\n")) scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Items that stay keep their comments; those of the others go to the end of the list. */
function refill(list: YAMLSeq, texts: readonly string[]): void {
  const left = list.items.filter(isScalar);
  const items = texts.map((text) => {
    const at = left.findIndex(({ value }) => value === text);
    return at === -1 ? scalarOf(text) : (left.splice(at, 1)[0] as Scalar);
  });
  // An empty list is written as `[]`, and that style would stay when the list is filled.
  if (list.items.length === 0 || items.length === 0) list.flow = items.length === 0;
  list.items = items;
  const homeless = left.flatMap(({ commentBefore, comment }) => [commentBefore, comment]);
  const comments = [...homeless, list.comment].filter((comment) => typeof comment === "string");
  if (comments.length > 0) list.comment = comments.join("\n");
}
