import { stories } from "./stories.ts";
import { testStories } from "./test-stories.ts";

testStories(
  "a story through the program",
  stories.map((story) => ({ ...story, program: true })),
);
