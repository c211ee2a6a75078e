import { someCases } from "../support/some-cases.ts";
import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// Every second story; all of them with `ALL_CASES=1`, as in `.ci/run`.
testStories("a story through the command line", someCases(stories, 2));
