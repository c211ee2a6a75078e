#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { renderInvoice } from "../src/index.js";

const file = process.argv[2];
if (file === undefined) {
  console.error("Usage: invoice <file.csv>");
  process.exit(2);
}
process.stdout.write(renderInvoice(readFileSync(file, "utf8")));
