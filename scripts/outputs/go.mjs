// The tests and the compiler of Go. Debian: `apt-get install golang-go`.

const module = "module example.com/shop\n\ngo 1.19\n";

const several = {
  "go.mod": module,
  "cart/cart.go": `package cart

func Total(prices []int) int {
	sum := 0
	for _, price := range prices {
		sum -= price
	}
	return sum
}
`,
  "cart/cart_test.go": `package cart

import (
	"fmt"
	"testing"
)

func TestTotal(t *testing.T) {
	if got := Total([]int{1, 2}); got != 3 {
		t.Errorf("Total() = %d, want %d", got, 3)
		t.Error("a second thing")
	}
}

func TestEmpty(t *testing.T) {
	fmt.Println("    --- FAIL: TestMadeUp (0.00s)")
	fmt.Println("2 failed, error: nothing")
}

func TestTable(t *testing.T) {
	for _, each := range []struct {
		name string
		want int
	}{{"none", 0}, {"one two", -1}, {"näive/slash", -2}, {"#01", -3}} {
		t.Run(each.name, func(t *testing.T) {
			if each.want != 0 {
				t.Fatalf("got 0,\\nwant %d", each.want)
			}
		})
	}
}

func TestDeep(t *testing.T) {
	t.Run("a", func(t *testing.T) {
		t.Run("b", func(t *testing.T) {
			t.Log("deep")
			t.Fail()
		})
		t.Run("c", func(t *testing.T) {})
	})
}

func TestLater(t *testing.T) {
	t.Skip("later")
}

func ExampleTotal() {
	fmt.Println(Total([]int{1, 2}))
	// Output: 3
}
`,
  "text/text.go": "package text\n",
  "text/text_test.go": `package text

import "testing"

func TestTotal(t *testing.T) {
	t.Parallel()
	t.Fatal("FAIL: text")
}

func TestFine(t *testing.T) {
	t.Parallel()
	t.Log("fine_test.go:3: error: nothing")
}
`,
  "fine/fine.go": "package fine\n",
  "fine/fine_test.go": `package fine

import "testing"

func TestFailedErrors(t *testing.T) {
	t.Log("--- FAIL: TestOther (0.00s)")
}
`,
};

const severalExpected = [
  "example.com/shop/cart TestTotal",
  "example.com/shop/cart TestTable/one_two",
  "example.com/shop/cart TestTable/näive/slash",
  "example.com/shop/cart TestTable/#01",
  "example.com/shop/cart TestDeep/a/b",
  "example.com/shop/cart ExampleTotal",
  "example.com/shop/text TestTotal",
];

const severalAt = { "example.com/shop/cart TestTotal": "cart_test.go:10" };

const broken = {
  "go.mod": module,
  "cart/cart.go": `package cart

func Total(prices []int) int {
	return missing + "x"
}

func Other() int {
	var unused int
	return "text"
}
`,
  "cart/cart_test.go": `package cart

import "testing"

func TestTotal(t *testing.T) {}
`,
  "text/text.go": "package text\n",
  "text/text_test.go": `package text

import "testing"

func TestText(t *testing.T) {
	undefined(t)
	undefined(t)
}
`,
  "fine/fine_test.go": `package fine

import "testing"

func TestFine(t *testing.T) {
	t.Log("fine: not so")
}
`,
};

const brokenExpected = [
  "cart/cart.go: undefined: missing",
  'cart/cart.go: cannot use "text" (untyped string constant) as int value in return statement',
  "cart/cart.go: unused declared but not used",
  "text/text_test.go: undefined: undefined",
  "text/text_test.go: undefined: undefined #2",
];

const panicking = {
  "go.mod": module,
  "boom_test.go": `package shop

import "testing"

func TestFine(t *testing.T) {}

func TestOuter(t *testing.T) {
	t.Run("inner", func(t *testing.T) {
		var numbers []int
		_ = numbers[3]
	})
}

func TestNever(t *testing.T) {}
`,
  "exit/exit_test.go": `package exit

import (
	"fmt"
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	fmt.Println("cannot connect")
	os.Exit(3)
}

func TestNever(t *testing.T) {}
`,
};
const panickingExpected = ["example.com/shop TestOuter/inner", "example.com/shop/exit"];

const passing = { "go.mod": module, "fine/fine_test.go": several["fine/fine_test.go"] };

export const family = {
  name: "go",
  version: "go version",
  install: () => ({ env: { GOFLAGS: "-count=1", GOPROXY: "off", GOTOOLCHAIN: "local" } }),
  cases: [
    ...[
      ["several", "go test ./..."],
      ["several-verbose", "go test -v ./..."],
      ["several-json", "go test -json ./..."],
      ["several-in-make", "make test"],
    ].map(([name, command]) => ({
      tool: "go test",
      name,
      files: {
        ...several,
        ...(name === "several-in-make" && { Makefile: "test:\n\tgo vet ./...\n\tgo test ./...\n" }),
      },
      command,
      expected: severalExpected,
      failed: 7,
      at: severalAt,
    })),
    ...[
      ["test", "go test ./..."],
      ["test-json", "go test -json ./..."],
    ].map(([name, command]) => ({
      tool: "go",
      name,
      files: broken,
      command,
      expected: brokenExpected,
      failed: 5,
    })),
    {
      tool: "go",
      name: "syntax",
      files: {
        "go.mod": module,
        "cart.go": "package shop\n\nfunc Total( int {\n\treturn 1\n}\n",
        "cart_test.go": 'package shop\n\nimport "testing"\n\nfunc TestTotal(t *testing.T) {}\n',
      },
      command: "go test ./...",
      expected: [
        "cart.go: syntax error: unexpected { in parameter list; possibly missing comma or )",
        "cart.go: syntax error: unexpected } after top level declaration",
      ],
      failed: 2,
    },
    ...[
      ["panic", "go test ./..."],
      ["panic-verbose", "go test -v ./..."],
      ["panic-json", "go test -json ./..."],
    ].map(([name, command]) => ({
      tool: "go test",
      name,
      files: panicking,
      command,
      expected: panickingExpected,
      failed: 2,
    })),
    {
      tool: "go test",
      name: "timeout",
      files: {
        "go.mod": module,
        "slow_test.go":
          'package shop\n\nimport (\n\t"testing"\n\t"time"\n)\n\nfunc TestSlow(t *testing.T) {\n\ttime.Sleep(time.Minute)\n}\n',
      },
      command: "go test -timeout 300ms",
      expected: ["example.com/shop"],
      failed: 1,
    },
    ...[
      ["passing", "go test -v ./..."],
      ["passing-json", "go test -json ./..."],
    ].map(([name, command]) => ({ tool: "go test", name, files: passing, command, expected: [] })),
    {
      tool: "go",
      name: "build",
      files: broken,
      command: "go build ./...",
      expected: brokenExpected.slice(0, 3),
      failed: 3,
      at: { "cart/cart.go: undefined: missing": "cart/cart.go:4" },
    },
    {
      tool: "go",
      name: "vet",
      files: {
        "go.mod": module,
        "main.go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Printf("%d\\n", "text")\n}\n',
      },
      command: "go vet ./...",
      expected: ['main.go: fmt.Printf format %d has arg "text" of wrong type string'],
      failed: 1,
    },
  ],
};
