import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// Runs every story with a separate process for each command.
testStories(
  "a story through the program",
  stories.map((story) => ({ ...story, program: true })),
);
