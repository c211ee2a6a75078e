import { basics } from "./stories/basics.ts";
import { claims } from "./stories/claims.ts";
import { ladder } from "./stories/ladder.ts";
import { starts } from "./stories/starts.ts";
import { work } from "./stories/work.ts";

export const stories = [...basics, ...claims, ...ladder, ...starts, ...work];
