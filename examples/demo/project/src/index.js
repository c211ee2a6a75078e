export { formatAmount, parseAmount } from "./amount.js";
export { readRows } from "./csv.js";
export { lineNet } from "./line.js";
export { taxByRate } from "./tax.js";
