import { z } from "zod";

export const fence = (language, text) => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
export const table = (head, rows) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escapeBars).join(" | ")} |`).join("\n");
/** In a Markdown table, a pipe character ends a cell even within code. */
const escapeBars = (cell) => String(cell).replaceAll("|", "\\|");
export const code = (text) => `\`${text}\``;

const dialectColumns = {
  when: "recognized by",
  unit: "unit",
  id: "id",
  fields: "fields",
  verification: "verification",
  context: "context",
  order: "order",
  done: "done",
};

export const dialectTable = (dialects, rows) =>
  table(
    ["dialect", ...Object.values(dialectColumns)],
    dialects.map(({ name }) => [code(name), ...Object.keys(dialectColumns).map((key) => rows[name][key])]),
  );

export const ruleTable = (rules, texts) =>
  table(
    ["rule", "severity", "when"],
    Object.entries(rules).map(([rule, severity]) => [code(rule), severity, texts[rule]]),
  );

export const eventTable = (union) =>
  table(
    ["type", "other fields"],
    union.options.map((option) => {
      const { properties, required } = jsonSchema(option);
      const { type, ...fields } = properties;
      return [code(type.const), fieldsOf(fields, required).join(", ")];
    }),
  );

export const effectTable = (effects) =>
  table(
    ["effect", "answers"],
    Object.entries(effects).map(([name, { answer }]) => [code(name), kindsOf(jsonSchema(answer)).join("; ")]),
  );

const kindsOf = ({ oneOf, anyOf, properties, required }) =>
  (oneOf ?? anyOf)?.flatMap(kindsOf) ?? [kindOf(properties, required)];

const common = ["denied", "gate", "hindered"];

function kindOf({ kind, ...fields }, required) {
  if (common.includes(kind.const)) return code(kind.const);
  const words = (kind.enum ?? [kind.const]).map(code).join(", ");
  const shown = Object.keys(fields).map((name) => `${code(name)}${required.includes(name) ? "" : "?"}`);
  return shown.length === 0 ? words : `${words} (${shown.join(", ")})`;
}

const jsonSchema = (schema) => z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });

const fieldsOf = (fields, required) =>
  Object.entries(fields).map(([name, field]) => fieldOf(name, field, required.includes(name)));

function fieldOf(name, field, isRequired) {
  const kinds = field.anyOf ?? [field];
  const own = kinds.find(({ type }) => type !== "null");
  const isNullable = kinds.some(({ type }) => [type].flat().includes("null"));
  const values = own.enum ?? Object.keys(own.properties ?? {});
  const shown = values.length > 8 || name === "policy" ? [] : values.filter((value) => value !== null).map(code);
  const parts = [shown.join(", "), isNullable ? "or null" : ""].filter((part) => part !== "").join("; ");
  return `${code(name)}${isRequired ? "" : "?"}${parts === "" ? "" : ` (${parts})`}`;
}
