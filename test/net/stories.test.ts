import { someCases } from "../support/some-cases.ts";
import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// `.ci/run` sets `ALL_CASES=1`, which selects all stories.
testStories("a story through the command line", someCases(stories, 3));
