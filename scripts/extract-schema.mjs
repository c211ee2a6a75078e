// Reduces GitHub's GraphQL schema to the parts that our queries use. Tests execute the queries against it:
//   npm install --no-save --ignore-scripts @octokit/graphql-schema && npm run build && node scripts/extract-schema.mjs
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  buildSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
  parse,
  print,
  printType,
  parse as read,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import * as queries from "../dist/src/adapters/forge/queries.js";

const path = process.argv[2] ?? createRequire(import.meta.url).resolve("@octokit/graphql-schema/schema.graphql");
// Skip validation: the published text declares two fields twice.
const schema = buildSchema(readFileSync(path, "utf8"), { assumeValidSDL: true });

const used = new Map();
const use = (type, field) => {
  if (!used.has(type.name)) used.set(type.name, new Set());
  if (field !== undefined) used.get(type.name).add(field);
};
const useInput = (type) => {
  if (used.has(type.name)) return;
  use(type);
  if (isInputObjectType(type)) for (const each of Object.values(type.getFields())) useInput(getNamedType(each.type));
};
for (const text of Object.values(queries)) {
  const info = new TypeInfo(schema);
  visit(
    parse(text),
    visitWithTypeInfo(info, {
      Field() {
        const parent = info.getParentType();
        const field = info.getFieldDef();
        if (field === undefined || field === null)
          throw new Error(`The schema has no such field: \`${text.slice(0, 60)}\``);
        if (field.name.startsWith("__")) return;
        use(parent, field.name);
        use(getNamedType(field.type));
        for (const argument of field.args) useInput(getNamedType(argument.type));
      },
      NamedType(node) {
        const type = schema.getType(node.name.value);
        if (type === undefined) throw new Error(`No such type: ${node.name.value}`);
        if (isObjectType(type) || isInterfaceType(type) || isUnionType(type)) use(type);
        else useInput(type);
      },
    }),
  );
}
// Keep fields that our queries read through an interface of these types.
for (const name of ["User", "Bot", "Organization"]) use(schema.getType(name), "login");
for (const name of ["PullRequestReviewThread", "PullRequestReview"]) use(schema.getType(name), "id");

// A type needs at least one field, even if no query uses its fields.
for (const [name, fields] of used) {
  const type = schema.getType(name);
  if (fields.size === 0 && (isObjectType(type) || isInterfaceType(type)))
    use(
      type,
      Object.keys(type.getFields()).find((field) => field === "id" || field === "oid"),
    );
}

const kept = ({ name }) => used.has(name);
const definitions = [...used.keys()].toSorted().flatMap((name) => {
  const type = schema.getType(name);
  if (isSpecifiedScalarType(type)) return [];
  const [node] = read(printType(type)).definitions;
  const bare = { ...node, description: undefined };
  if (isScalarType(type)) return [print(bare)];
  if (isUnionType(type)) return [print({ ...bare, types: node.types.filter(({ name }) => used.has(name.value)) })];
  if (!isObjectType(type) && !isInterfaceType(type)) return [print(withoutWords(bare))];
  const interfaces = type.getInterfaces().filter(kept);
  const inherited = interfaces.flatMap((each) => [...used.get(each.name)]);
  const fields = node.fields.filter(
    ({ name }) => used.get(type.name).has(name.value) || inherited.includes(name.value),
  );
  const names = new Set(interfaces.map(({ name }) => name));
  return [
    print(withoutWords({ ...bare, fields, interfaces: node.interfaces.filter(({ name }) => names.has(name.value)) })),
  ];
});

function withoutWords(node) {
  return visit(node, {
    enter: (each) => ("description" in each && each.description ? { ...each, description: undefined } : undefined),
  });
}

const text = `# Cut from GitHub's GraphQL schema by scripts/extract-schema.mjs.\n\n${definitions.join("\n\n")}\n`;
buildSchema(text);
writeFileSync("test/fixtures/github.graphql", text);
