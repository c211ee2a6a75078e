import { encodeProperties } from "./properties/encode.ts";
import { insertProperties } from "./properties/insert.ts";
import { plainProperties } from "./properties/plain.ts";
import type { Property } from "./properties/property.ts";
import { refreshProperties } from "./properties/refresh.ts";
import { seriesProperties } from "./properties/series.ts";
import { structureProperties } from "./properties/structure.ts";
import { tickProperties } from "./properties/tick.ts";

export const planProperties: Readonly<Record<string, readonly Property[]>> = {
  insert: insertProperties,
  series: seriesProperties,
  tick: tickProperties,
  refresh: refreshProperties,
  encode: encodeProperties,
  structure: structureProperties,
  plain: plainProperties,
};
