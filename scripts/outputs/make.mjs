// GNU make, gcc and clang. Debian: `apt-get install make gcc g++ clang`.

const broken = {
  "cart.c": `#include <stdio.h>
#include "cart.h"

int total(int *prices, int count) {
  int sum = 0
  return sum;
}

int other(void) {
  return missing + missing;
}

int error(void) {
  int unused;
  printf("cart.c:3:4: error: %d\\n", "text");
  return "text";
}
`,
  "cart.h": "int total(int *prices, int count);\nint wrong(missing_type name);\n",
};

const gccErrors = [
  "cart.h: unknown type name ‘missing_type’",
  "cart.c: expected ‘,’ or ‘;’ before ‘return’",
  "cart.c: ‘missing’ undeclared (first use in this function)",
];
const clangErrors = [
  "cart.h: unknown type name 'missing_type'",
  "cart.c: expected ';' at end of declaration",
  "cart.c: use of undeclared identifier 'missing'",
  "cart.c: use of undeclared identifier 'missing' #2",
];

export const family = {
  name: "make",
  version: "make --version",
  cases: [
    {
      tool: "make",
      name: "one",
      files: { Makefile: "all: lint test\nlint:\n\t@echo error: nothing\ntest:\n\t@echo '3 things'; exit 3\n" },
      command: "make",
      expected: ["test"],
      failed: 1,
      at: { test: "Makefile:5" },
    },
    {
      tool: "make",
      name: "recursive",
      files: {
        Makefile: "all: one two\none two:\n\t$(MAKE) -C $@\n.PHONY: one two\n",
        "one/Makefile": "all: build\nbuild:\n\tfalse\n",
        "two/Makefile": "all:\n\t-false\n\tsh -c 'kill -9 $$$$'\n",
      },
      command: "make -k",
      expected: ["build", "all"],
      failed: 2,
    },
    {
      tool: "make",
      name: "parallel",
      files: { Makefile: "all: a b c\na b:\n\t@sleep 0.2; false\nc:\n\t@sleep 0.1\n" },
      command: "make -j3",
      expected: ["a", "b"],
      failed: 2,
    },
    {
      tool: "make",
      name: "no-rule",
      files: { Makefile: "all: missing.txt\n\techo done\n" },
      command: "make",
      expected: ["No rule to make target 'missing.txt', needed by 'all'."],
      failed: 1,
    },
    {
      tool: "make",
      name: "syntax",
      files: { Makefile: "all:\n    echo done\n" },
      command: "make",
      expected: ["Makefile: missing separator."],
      failed: 1,
    },
    {
      tool: "make",
      name: "passing",
      files: { Makefile: "all:\n\t-false\n\t@echo 'test: *** failed Error 1'\n" },
      command: "make",
      expected: [],
    },
    {
      tool: "cc",
      name: "gcc",
      version: "gcc --version",
      files: { ...broken, Makefile: "cart.o: cart.c\n\tgcc -Wall -c cart.c\n" },
      command: "make",
      expected: gccErrors,
      failed: 3,
      at: { [gccErrors[1]]: "cart.c:6" },
    },
    {
      tool: "cc",
      name: "clang-coloured",
      version: "clang --version",
      files: broken,
      command: "clang -Wall -fcolor-diagnostics -c cart.c",
      expected: clangErrors,
      failed: 4,
      at: { [clangErrors[1]]: "cart.c:5" },
    },
    {
      tool: "cc",
      name: "werror",
      version: "gcc --version",
      files: { "src/a b.c": "int main(void) {\n  int unused;\n  return 0;\n}\n" },
      command: 'gcc -Wall -Werror -c "src/a b.c"',
      expected: ["src/a b.c: unused variable ‘unused’ [-Werror=unused-variable]"],
      failed: 1,
    },
    {
      tool: "cc",
      name: "fatal",
      version: "g++ --version",
      files: {
        "main.cpp": '#include "missing.hpp"\n\nint main() { return 0; }\n',
        "text.cpp": "#include <string>\n\nint main() {\n  std::string text = 3;\n  return text;\n}\n",
      },
      command: "g++ -c main.cpp; g++ -c text.cpp",
      expected: [
        "main.cpp: missing.hpp: No such file or directory",
        "text.cpp: conversion from ‘int’ to non-scalar type ‘std::string’ {aka ‘std::__cxx11::basic_string<char>’} requested",
        "text.cpp: cannot convert ‘std::string’ {aka ‘std::__cxx11::basic_string<char>’} to ‘int’ in return",
      ],
      failed: 3,
    },
    {
      tool: "cc",
      name: "linker",
      version: "gcc --version",
      files: {
        "main.c": "int missing(void);\nint other(void);\n\nint main(void) {\n  return missing() + other();\n}\n",
      },
      command: "gcc -o main main.c",
      expected: ["main.c: undefined reference to `missing'", "main.c: undefined reference to `other'"],
      failed: 2,
    },
    {
      tool: "cc",
      name: "warnings",
      version: "gcc --version",
      files: { "main.c": '#warning "main.c:1:1: error: nothing"\n\nint main(void) {\n  int unused;\n  return 0;\n}\n' },
      command: "gcc -Wall -c main.c",
      expected: [],
    },
  ],
};
