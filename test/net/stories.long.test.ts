import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

// The same stories with a process for each command.
testStories(
  "a story through the program",
  stories.map((story) => ({ ...story, program: true })),
);
