/** A terminal on which no time passes. */
export const noTime = { now: () => 0, everySecond: () => () => {} };
