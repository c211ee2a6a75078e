/**
 * Create a queue that does one piece of work at a time, in order. After a failure, the queue continues with the next
 * piece.
 */
export function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work, work);
    last = done.catch(() => {});
    return done;
  };
}
