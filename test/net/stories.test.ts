import { someCases } from "../support/some-cases.ts";
import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// Tries every second story; `ALL_CASES=1`, as in `.ci/run`, tries all.
testStories("a story through the command line", someCases(stories, 2));
