export { linearParsers } from "./linear-parsers.ts";
export { planProperties } from "./plan-properties.ts";
