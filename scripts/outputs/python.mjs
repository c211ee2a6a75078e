// pytest and unittest, with the Python on the `PATH`. Without pytest: `pip install pytest`.

const several = {
  "tests/test_calc.py": `import pytest


def add(a, b):
    return a - b


def check(value):
    assert value > 0, "value has to be positive"


def test_adds():
    assert add(1, 2) == 3


def test_zero():
    assert add(0, 0) == 0


class TestDivision:
    def test_by_zero(self):
        1 / 0

    @pytest.mark.parametrize("a, b", [(4, 2), (1, 3)])
    def test_whole(self, a, b):
        assert a % b == 0


def test_helper():
    check(-1)


@pytest.mark.skip(reason="later")
def test_later():
    assert False


@pytest.mark.xfail
def test_known():
    assert False
`,
  "tests/test_text.py": `def test_lines():
    print("FAILED tests/test_text.py::test_made_up - not a failure")
    assert "first\\nsecond" == "first\\nthird"
`,
};

const severalExpected = [
  "tests/test_calc.py::test_adds",
  "tests/test_calc.py::TestDivision::test_by_zero",
  "tests/test_calc.py::TestDivision::test_whole[1-3]",
  "tests/test_calc.py::test_helper",
  "tests/test_text.py::test_lines",
];
const severalAt = {
  "tests/test_calc.py::test_adds": "tests/test_calc.py:13",
  "tests/test_calc.py::TestDivision::test_by_zero": "tests/test_calc.py:22",
  "tests/test_calc.py::TestDivision::test_whole[1-3]": "tests/test_calc.py:26",
  "tests/test_text.py::test_lines": "tests/test_text.py:3",
};

const odd = {
  "test_odd.py": `import pytest


@pytest.mark.parametrize("text", ["a b", "x - y", "[z]", 'it\\'s "so"', "naïve ✓", "a::b", "FAILED x"])
def test_text(text):
    assert text == ""


def test_größe():
    raise ValueError("two\\nlines - FAILED test_odd.py::test_other")
`,
};

const oddExpected = [
  "test_odd.py::test_text[a b]",
  "test_odd.py::test_text[x - y]",
  "test_odd.py::test_text[[z]]",
  `test_odd.py::test_text[it's "so"]`,
  "test_odd.py::test_text[na\\xefve \\u2713]",
  "test_odd.py::test_text[a::b]",
  "test_odd.py::test_text[FAILED x]",
  "test_odd.py::test_größe",
];

const errors = {
  "conftest.py": `import pytest


@pytest.fixture
def database():
    raise ConnectionError("no database")


@pytest.fixture
def cleaned():
    yield 1
    raise RuntimeError("left behind")
`,
  "test_errors.py": `def test_setup(database):
    pass


def test_unknown(nothing):
    pass


def test_teardown(cleaned):
    assert cleaned == 2


def test_fine():
    print("ERROR test_errors.py::test_fine - not so")
`,
};

const chained = {
  "test_chain.py": `def read(text):
    try:
        return int(text)
    except ValueError as error:
        raise RuntimeError(f"cannot read {text}") from error


def test_chain():
    read("x")


def test_long():
    """
    FAILED test_chain.py::test_source - only in the source
    =========================== short test summary info ============================
    """
    assert list(range(5)) == [0, 1, 2, 4, 3], "ORDER"
`,
};

const nested = {
  "test_nested.py": `import subprocess
import sys


def test_outer():
    done = subprocess.run([sys.executable, "-m", "pytest", "inner/inner_checks.py"], capture_output=True, text=True)
    print(done.stdout)
    assert done.returncode == 0, "the inner run failed"


def test_other():
    assert 1 == 2
`,
  "inner/inner_checks.py": "def test_inner():\n    assert False\n",
};

const subtests = {
  "test_sub.py": `import unittest


def test_each(subtests):
    for number in range(4):
        with subtests.test("square", number=number):
            assert number % 2 == 0


class TestCase(unittest.TestCase):
    def test_sub(self):
        for number in range(3):
            with self.subTest(number=number):
                self.assertNotEqual(number, 1)
`,
};

const unitSeveral = {
  "test_shop.py": `import unittest


class CartTest(unittest.TestCase):
    def test_total(self):
        self.assertEqual(3, 4)

    def test_described(self):
        """The cart is empty at first."""
        self.assertEqual([1, 2], [1, 3], "carts differ")

    def test_crash(self):
        {}["missing"]

    def test_text(self):
        self.assertEqual("a\\nb", "a\\nc")

    def test_each(self):
        for count in (0, 1, 2):
            with self.subTest(count=count):
                self.assertEqual(count, 1)
        with self.subTest("with words", odd="it's"):
            self.fail("no")

    @unittest.skip("later")
    def test_later(self):
        self.fail()

    @unittest.expectedFailure
    def test_better(self):
        pass

    def test_fine(self):
        print("FAIL: test_made_up (test_shop.CartTest.test_made_up)")


class BrokenTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        raise RuntimeError("no shop")

    def test_any(self):
        pass


class Outer:
    class InnerTest(unittest.TestCase):
        def test_inner(self):
            try:
                int("x")
            except ValueError:
                raise LookupError("not a number\\nat all")


InnerTest = Outer.InnerTest

if __name__ == "__main__":
    unittest.main()
`,
  "test_broken.py": "import no_such_module\n",
};

const unitExpected = [
  "test_broken",
  "test_shop.BrokenTest.setUpClass",
  "test_shop.CartTest.test_crash",
  "test_shop.CartTest.test_described",
  "test_shop.CartTest.test_each (count=0)",
  "test_shop.CartTest.test_each (count=2)",
  'test_shop.CartTest.test_each [with words] (odd="it\'s")',
  "test_shop.CartTest.test_text",
  "test_shop.CartTest.test_total",
  "test_shop.CartTest.test_better",
  "test_shop.Outer.InnerTest.test_inner",
];

const passing = {
  "test_fine.py": `import unittest


class FineTest(unittest.TestCase):
    def test_failed_error(self):
        print("2 failed, 3 errors")
        print("FAILED (failures=3)")
        self.assertTrue(True)

    def test_fine(self):
        print("ERROR: test_made_up (test_fine.FineTest)")
`,
};

export const family = {
  name: "python",
  version: "python3 -m pytest --version",
  cases: [
    ["one-of-several", "pytest", { at: { "test_one.py::test_two": "test_one.py:6" } }],
    ["quiet", "pytest -q"],
    ["verbose", "pytest -v"],
    ["no-traceback", "pytest --tb=no"],
    ["no-summary", "pytest -rN"],
  ]
    .map(([name, command, more = {}]) => ({
      tool: "pytest",
      name,
      files: {
        "test_one.py": "def test_one():\n    pass\n\n\ndef test_two():\n    assert sum([1, 2]) == 4\n",
        "test_three.py": "def test_three():\n    pass\n",
      },
      command,
      expected: ["test_one.py::test_two"],
      failed: 1,
      ran: 3,
      ...more,
    }))
    .concat(
      [
        ["several", "pytest", { at: severalAt }],
        ["several-short", "pytest --tb=short", { at: severalAt }],
        ["several-line", "pytest --tb=line -v"],
        ["several-native", "pytest --tb=native -q"],
        ["several-coloured", "pytest --color=yes -v", { at: severalAt }],
        ["several-no-summary", "pytest --tb=short -rN"],
        ["in-make", "make -f Makefile test"],
      ].map(([name, command, more = {}]) => ({
        tool: "pytest",
        name,
        files: { ...several, ...(name === "in-make" && { Makefile: "test:\n\tpytest --tb=short\n" }) },
        command,
        expected: severalExpected,
        failed: 5,
        ran: 8,
        ...more,
      })),
      [
        {
          tool: "pytest",
          name: "odd-names",
          files: odd,
          command: "pytest",
          expected: oddExpected,
          failed: 8,
          ran: 8,
        },
        {
          tool: "pytest",
          name: "odd-names-verbose",
          files: odd,
          command: "pytest -v --tb=no -rN",
          expected: oddExpected,
          failed: 8,
          ran: 8,
        },
        {
          tool: "pytest",
          name: "errors",
          files: errors,
          command: "pytest",
          expected: ["test_errors.py::test_setup", "test_errors.py::test_unknown", "test_errors.py::test_teardown"],
          failed: 4,
          ran: 5,
        },
        {
          tool: "pytest",
          name: "collection",
          files: {
            "tests/test_syntax.py": "def test_syntax(:\n    pass\n",
            "tests/test_import.py": "from shop import cart\n\n\ndef test_cart():\n    pass\n",
            "tests/test_fine.py": "def test_fine():\n    pass\n",
          },
          command: "pytest",
          expected: ["tests/test_import.py", "tests/test_syntax.py"],
          failed: 2,
          ran: 2,
        },
        {
          tool: "pytest",
          name: "chained",
          files: chained,
          command: "pytest",
          expected: ["test_chain.py::test_chain", "test_chain.py::test_long"],
          failed: 2,
          ran: 2,
        },
        {
          tool: "pytest",
          name: "nested",
          files: nested,
          command: "pytest",
          expected: ["test_nested.py::test_outer", "test_nested.py::test_other"],
          failed: 2,
          ran: 2,
        },
        {
          tool: "pytest",
          name: "subtests",
          files: subtests,
          command: "pytest",
          expected: [
            "test_sub.py::test_each [square] (number=1)",
            "test_sub.py::test_each [square] (number=3)",
            "test_sub.py::TestCase::test_sub (number=1)",
          ],
        },
        {
          tool: "pytest",
          name: "passing",
          files: passing,
          command: "pytest -v -s",
          expected: [],
        },
      ],
      [
        ["several", "python3 -m unittest"],
        ["several-verbose", "python3 -m unittest -v"],
        ["several-buffered", "python3 -m unittest -b"],
      ].map(([name, command]) => ({
        tool: "unittest",
        name,
        version: "python3 --version",
        files: unitSeveral,
        command,
        expected: unitExpected,
        failed: 11,
        ran: 9,
        at: { "test_shop.CartTest.test_total": "test_shop.py:6" },
      })),
      [
        {
          tool: "unittest",
          name: "one-in-make",
          version: "python3 --version",
          files: {
            "test_one.py":
              "import unittest\n\n\nclass OneTest(unittest.TestCase):\n    def test_one(self):\n        self.assertIn(3, [1, 2])\n\n    def test_two(self):\n        pass\n",
            Makefile: "test:\n\tpython3 -m unittest -q\n",
          },
          command: "make test",
          expected: ["test_one.OneTest.test_one"],
          failed: 1,
          ran: 2,
        },
        {
          tool: "unittest",
          name: "passing",
          version: "python3 --version",
          files: passing,
          command: "python3 -m unittest -v",
          expected: [],
        },
      ],
    ),
};
