import { describe } from "vitest";
import { testKills } from "./test-kills.ts";

describe("a run killed at a line of its journal ends like an undisturbed run", () => testKills());
