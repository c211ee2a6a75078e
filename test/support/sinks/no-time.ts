export const noTime = { now: () => 0, everySecond: () => () => {} };
