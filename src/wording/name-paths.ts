import { clamp } from "../model/text.ts";

/** Paths that are named, and characters of each. */
const mostNamed = 5;
const longest = 200;

/** Paths in a sentence: of many the first. */
export const namePaths = (paths: readonly string[]): string =>
  [...paths.slice(0, mostNamed).map((path) => clamp(path, longest)), ...(paths.length > mostNamed ? ["…"] : [])].join(
    ", ",
  );
