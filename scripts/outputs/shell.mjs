// ShellCheck. Debian: `apt-get install shellcheck`.

const several = {
  "run.sh": `#!/bin/sh
name=$1
echo $name $2
unused=3
if [ $name == "x" ]; then
  cd $name
fi
`,
  "lib/größe it's.sh": "#!/bin/bash\nlist=(1 2)\necho $list\n",
};

const quote = "SC2086 Double quote to prevent globbing and word splitting.";
const expected = [
  ...[quote, `${quote} #2`, `${quote} #3`, `${quote} #4`].map((message) => `run.sh: ${message}`),
  "run.sh: SC2034 unused appears unused. Verify use (or export if used externally).",
  "run.sh: SC3014 In POSIX sh, == in place of = is undefined.",
  "run.sh: SC2164 Use 'cd ... || exit' or 'cd ... || return' in case cd fails.",
  "lib/größe it's.sh: SC2128 Expanding an array without an index only gives the first element.",
  `lib/größe it's.sh: ${quote}`,
];

export const family = {
  name: "shell",
  version: "shellcheck --version | grep version:",
  cases: [
    ...[
      ["tty", 'shellcheck run.sh "lib/größe it\'s.sh"'],
      ["tty-coloured", "shellcheck --color=always run.sh lib/*.sh"],
      ["gcc-in-make", "make lint"],
      ["json", "shellcheck -f json run.sh lib/*.sh"],
      ["json1", "shellcheck -f json1 run.sh lib/*.sh"],
    ].map(([name, command]) => ({
      tool: "shellcheck",
      name,
      files: {
        ...several,
        ...(name === "gcc-in-make" && { Makefile: "lint:\n\t@shellcheck -f gcc run.sh lib/*.sh\n" }),
      },
      command,
      expected,
      failed: 9,
      at: { "run.sh: SC2164 Use 'cd ... || exit' or 'cd ... || return' in case cd fails.": "run.sh:6" },
    })),
    {
      tool: "shellcheck",
      name: "syntax",
      files: { "run.sh": '#!/bin/sh\nif true; then\n  echo "x\n' },
      command: "shellcheck run.sh",
      expected: [
        "run.sh: SC1009 The mentioned syntax error was in this simple command.",
        "run.sh: SC1073 Couldn't parse this double quoted string. Fix to allow more checks.",
        "run.sh: SC1072 Expected end of double quoted string. Fix any mentioned problems and try again.",
      ],
      failed: 3,
    },
    {
      tool: "shellcheck",
      name: "passing",
      files: { "run.sh": '#!/bin/sh\necho "In run.sh line 3: error"\n' },
      command: "shellcheck run.sh && sh run.sh",
      expected: [],
    },
  ],
};
