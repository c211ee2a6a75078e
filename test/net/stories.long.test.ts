import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// All stories, with a separate process for each command.
testStories(
  "a story through the program",
  stories.map((story) => ({ ...story, program: true })),
);
