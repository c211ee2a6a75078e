import { type Finding, firstLine, listFindings, type ToolReader } from "../reader.ts";

type Attributes = ReadonlyMap<string, string>;

interface TagListener {
  readonly open: (name: string, attributes: Attributes, isClosed: boolean) => void;
  readonly close: (name: string) => void;
  /** Text between two tags, decoded only when `piece` is called. */
  readonly text: (piece: () => string) => void;
}

/** Maximum length of a tag: a longer text only looks like a tag. */
const longestTag = 1_000_000;

/**
 * Read the tags of an XML text, which may be cut or broken. Takes linear time.
 */
function readTags(xml: string, { open, close, text }: TagListener): void {
  let at = 0;
  while (at < xml.length) {
    const start = xml.indexOf("<", at);
    if (start === -1) return;
    if (start > at) {
      const from = at;
      text(() => decodeEntities(xml.slice(from, start)));
    }
    if (xml.startsWith("<![CDATA[", start)) {
      const end = endOf(xml, "]]>", start + 9);
      text(() => xml.slice(start + 9, end - 3));
      at = end;
    } else if (xml.startsWith("<!--", start)) at = endOf(xml, "-->", start + 4);
    else if (xml.startsWith("<?", start)) at = endOf(xml, "?>", start + 2);
    else if (xml.startsWith("</", start)) {
      at = endOf(xml, ">", start + 2);
      close(xml.slice(start + 2, at - 1).trim());
    } else {
      const tag = readTag(xml, start + 1);
      if (tag === null) return;
      if (tag.name !== "") open(tag.name, tag.attributes, tag.isClosed);
      at = tag.end;
    }
  }
}

const endOf = (xml: string, mark: string, from: number): number => {
  const end = xml.indexOf(mark, from);
  return end === -1 ? xml.length + mark.length : end + mark.length;
};

const nameForm = /[\w:.-]{1,100}/y;
const attributeForm = /[\s,]{0,200}([\w:.-]{1,100})\s{0,20}=\s{0,20}(["'])/y;

interface Tag {
  readonly name: string;
  readonly attributes: Attributes;
  readonly isClosed: boolean;
  readonly end: number;
}

function readTag(xml: string, from: number): Tag | null {
  nameForm.lastIndex = from;
  const name = nameForm.exec(xml)?.[0] ?? "";
  const attributes = new Map<string, string>();
  let at = from + name.length;
  while (at - from < longestTag) {
    attributeForm.lastIndex = at;
    const found = attributeForm.exec(xml);
    if (found === null) break;
    const [, key = "", quote = '"'] = found;
    const end = xml.indexOf(quote, attributeForm.lastIndex);
    if (end === -1) return null;
    if (!attributes.has(key)) attributes.set(key, decodeEntities(xml.slice(attributeForm.lastIndex, end)));
    at = end + 1;
  }
  const end = xml.indexOf(">", at);
  if (end === -1) return null;
  return { name, attributes, isClosed: xml.charAt(end - 1) === "/", end: end + 1 };
}

const named: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return named[String(name).toLowerCase()] ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** A report in the XML of JUnit, by any tool. An id is the class and the name of a test. */
export const junit: ToolReader = {
  tool: "junit",
  kind: "report",
  open: () => {
    const found = listFindings();
    const read = (text: string): void => {
      let test: Attributes | null = null;
      let suiteFile: string | null = null;
      let problem: { readonly attributes: Attributes; text: string } | null = null;
      let isInProblem = false;
      let isSkipped = false;
      const finish = (): void => {
        if (test === null) return;
        found.count({ [isSkipped ? "skipped" : problem === null ? "passed" : "failed"]: 1 });
        if (problem !== null && !isSkipped) found.addEach(toFinding(test, suiteFile, problem));
        test = null;
        problem = null;
        isSkipped = false;
        isInProblem = false;
      };
      found.count({});
      readTags(text, {
        open: (name, attributes, isClosed) => {
          if (name === "testsuite") suiteFile = attributes.get("file") ?? attributes.get("filepath") ?? null;
          if (name === "testcase") {
            test = attributes;
            problem = null;
            isSkipped = attributes.get("status") === "notrun";
            if (isClosed) finish();
          }
          if (test === null) return;
          if (name === "skipped") isSkipped = true;
          if ((name === "failure" || name === "error") && problem === null) {
            problem = { attributes, text: "" };
            isInProblem = !isClosed;
          }
        },
        close: (name) => {
          if (name === "testcase") finish();
          if (name === "failure" || name === "error") isInProblem = false;
        },
        text: (piece) => {
          if (isInProblem && problem !== null && problem.text.length < 4000) problem.text += piece().slice(0, 4000);
        },
      });
    };
    return { xml: read, end: found.end };
  },
};

function toFinding(
  test: Attributes,
  suiteFile: string | null,
  problem: { readonly attributes: Attributes; readonly text: string },
): Finding {
  const name = test.get("name")?.trim() ?? "";
  const group = test.get("classname")?.trim() ?? "";
  const line = Number(test.get("line") ?? Number.NaN);
  const said = problem.attributes.get("message") ?? "";
  return {
    id: group === "" || group === name ? name : `${group} > ${name}`,
    file: test.get("file") ?? suiteFile,
    line: Number.isSafeInteger(line) ? line : null,
    message: firstLine(said) || firstLine(problem.text) || problem.attributes.get("type") || "failed",
  };
}
