import { describe } from "vitest";
import { testKills } from "./test-kills.ts";

describe("a run killed twice, at any lines of its journal, ends as if it had not been", () => testKills(17));
