/** Cents of tax for each rate. The lines of one rate are added up first and rounded once. */
export function taxByRate(lines) {
  const taxes = {};
  for (const { net, rate } of lines) {
    const tax = Math.round((net * rate) / 100);
    taxes[rate] = (taxes[rate] ?? 0) + tax;
  }
  return taxes;
}
