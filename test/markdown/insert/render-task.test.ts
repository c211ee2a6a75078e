import { describe, expect, it } from "vitest";
import type { SiblingStyle } from "../../../src/markdown/insert/read-sibling.ts";
import { renderField } from "../../../src/markdown/insert/render-task.ts";

const style: SiblingStyle = { prefix: "  ", marker: "-", gap: " ", indent: 2, bullet: "*", writeId: (id) => id };

describe("renderField", () => {
  it.each<[string, string[], string[], string]>([
    ["one line", ["`npm test`"], ["    * **Verify**: `npm test`"], "`npm test`"],
    [
      "a blank line among others",
      ["", "```bash", "cd app", "", "npm test", "```"],
      ["    * **Verify**:", "      ```bash", "      cd app", "", "      npm test", "      ```"],
      "```bash\n      cd app\n\n      npm test\n      ```",
    ],
    ["nothing", [], ["    * **Verify**:"], ""],
  ])("writes %s behind and below its label", (_, text, lines, value) => {
    expect(renderField(style, "Verify", text)).toEqual({ lines, value });
  });
});
