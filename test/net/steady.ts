export function steady(workspace: string): (text: string) => string {
  const state = process.env["XDG_STATE_HOME"];
  const replaced: readonly (readonly [string | RegExp, string])[] = [
    [`${workspace}/`, ""],
    [workspace, "<workspace>"],
    ...(state === undefined ? [] : ([[state, "<state>"]] as const)),
    [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( ?(Z|UTC))?/g, "<time>"],
    [/\buntil .* \(task /g, "until <time> (task "],
    [/("\w+Ms":)[\d.]+/g, "$1<duration>"],
    // The number of progress events depends on the duration of the work.
    [/^\{"type":"task\.progress".*\n/gm, ""],
    // The duration of the work decides whether this notice appears.
    [/^notice: The workspace has more files than can be watched.*\n/gm, ""],
    [/^ +the files are as they were before the attempt\n/gm, ""],
    [/--accept [0-9a-f]{6,}/g, "--accept <hash>"],
    [/ - [0-9a-f]{7,40}$/gm, " - <hash>"],
    // The next pattern requires a letter, which one in three hundred hashes of twelve digits lacks.
    [/; state [0-9a-f]{12}$/gm, "; state <hash>"],
    [/\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b/g, "<hash>"],
    [/\b(pid|process|coordinator) \d+/g, "$1 <pid>"],
    [/(?<![\w.[-])(\d+ms|\d+h( \d+m)?|\d+m( \d+s)?|\d+ ?s)(?![\w-])/g, "<duration>"],
    [/\b[\d.]+ (bytes|[KM]iB)\b/g, "<size>"],
  ];
  return (text) => replaced.reduce((made, [from, to]) => made.replaceAll(from, to), text);
}
