import { escapeLines } from "../../../wording/escape-text.ts";
import { readPrompt } from "../../node/reading/read-prompt.ts";
import { command, json } from "../command.ts";

export const prompt = command({
  options: { json },
  example: "fixpoint prompt 1.3 my-feature",
  async run({ words: [task = "", named], open, print }) {
    const text = await readPrompt(open(named, `prompt ${task}`).spec, task);
    print({ task, prompt: text }, () => escapeLines(text));
  },
});
