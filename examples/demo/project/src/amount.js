/** Cents of an amount written like `1,234.50`. Anything else is a RangeError. */
export function parseAmount(text) {
  return Number.parseFloat(text.replace(",", "")) * 100;
}

/** An amount as people write it: 123450 cents are `1,234.50`. */
export function formatAmount(cents) {
  return (cents / 100).toFixed(2);
}
