import { describe } from "vitest";
import { testKills } from "./test-kills.ts";

describe("a run killed at any two lines of its journal ends like an undisturbed run", () => testKills(17));
