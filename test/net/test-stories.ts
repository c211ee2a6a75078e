import { describe, it } from "vitest";
import { type Story, tell } from "./story.ts";

/**
 * `transcripts` holds everything promised to users, `printed` the output. Update: `ALL_CASES=1 npx vitest run
 * test/net/stories.test.ts -u`.
 */
export function testStories(title: string, stories: readonly Story[]): void {
  describe.concurrent(title, () => {
    it.for(stories.map((story) => [story.name, story] as const))("%s", async ([name, story], { expect }) => {
      const { transcript, printed } = await tell(story);
      await expect(transcript).toMatchFileSnapshot(`transcripts/${name}.txt`);
      await expect(printed).toMatchFileSnapshot(`printed/${name}.txt`);
    });

    it("has a unique name", ({ expect }) => {
      const names = stories.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    });
  });
}
