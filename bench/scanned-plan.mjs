// Edits a plan with the least possible work, as a lower bound of the cost. Offsets are bytes, so the plan must be
// ASCII.
const taskLine = /^- \[([ x])\] (\d+(?:\.\d+)+) (.*)$/gm;

export function scanPlan(text) {
  let bytes = Buffer.from(text, "latin1");
  const tasks = [...text.matchAll(taskLine)].map(({ 1: box, 2: id, 3: title, index }) => ({
    id,
    title,
    done: box === "x",
    start: index,
  }));
  let next = 0;
  const endOf = ({ start }) => {
    const end = bytes.indexOf("\n\n", start);
    return end === -1 ? bytes.length : end + 2;
  };
  return {
    tasks,
    next: () => {
      while (tasks[next]?.done) next += 1;
      return tasks[next];
    },
    blockOf: (task) => bytes.toString("latin1", task.start, endOf(task)),
    content: () => bytes,
    tick: (task) => {
      task.done = true;
      bytes[task.start + 3] = 0x78;
      return task.start + 3;
    },
    insert: (task, fix, block) => {
      const at = endOf(task);
      const index = tasks.indexOf(task) + 1;
      bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(block, "latin1"), bytes.subarray(at)]);
      for (const later of tasks.slice(index)) later.start += block.length;
      const added = { ...fix, done: false, start: at };
      tasks.splice(index, 0, added);
      return added;
    },
  };
}
