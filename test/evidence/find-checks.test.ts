import { describe, expect, it } from "vitest";
import { findChecks } from "../../src/evidence/find-checks.ts";
import { fileRole } from "../../src/evidence/test-files.ts";

const told = (path: string, text: string): readonly string[] | null =>
  findChecks(path, text)?.checks.map(({ name, runs }) => (runs ? name : `(${name})`)) ?? null;

describe("findChecks", () => {
  it.each<[string, string, readonly string[]]>([
    ["a.test.js", 'test("a", () => {}); test("b", () => {});', ["a", "b"]],
    ["a.test.js", 'describe("a", () => { it("b", () => {}); it("c", f); });', ["a > b", "a > c"]],
    ["a.test.js", "test('it', t => {\n});\nre.test(word);\nlatest(x);", ["it"]],
    ["a.test.js", 'test.each([["a", 1]])("adds %s", (one) => {});', ["adds %s"]],
    ["a.test.js", 'test(\n  "long",\n  async () => {\n  },\n);', ["long"]],
    ["a.test.js", "test(`a $1`, () => {});\ntest(named, () => {});", ["a $1", "test(named, () => {});"]],
    ["a.test.js", 'test("a", { skip: false }, () => {});\ntest("b", { todo: true }, () => {});', ["a", "(b)"]],
    ["a.test.js", 'test("a", (t) => {\n  t.skip();\n});', ["(a)"]],
    ["a.test.js", 'describe.only("a", () => {\n  it("b", () => {});\n});\nit("c", () => {});', ["a > b", "(c)"]],
    ["a.test.js", 'test("a", () => {', ["a"]],
    ["a.test.js", 'test("a", () => {\n  ok("// no comment", /* test("b") */ 1);\n});', ["a"]],
    [
      "test_a.py",
      "class TestA(Base):\n    @mark\n    def test_b(self):\n        pass\n\n    async def test_c(self):\n        pass\n",
      ["TestA > test_b", "TestA > test_c"],
    ],
    [
      "test_a.py",
      "class A(unittest.TestCase):\n    def test_b(self):\n        pass\n\ndef helper():\n    pass\n",
      ["A > test_b"],
    ],
    ["test_a.py", "def test_a(\n    one,\n):\n    pass\n", ["test_a"]],
    ["test_a.py", 'def test_a():\n    """Say\ndef test_b\n"""\n    assert 1\n', ["test_a"]],
    ["test_a.py", "class TestA:\n    @unittest.skip('x')\n    def test_b(self):\n        pass\n", ["(TestA > test_b)"]],
    ["test_a.py", "@dangling\n", []],
    ["a_test.go", "func TestA(t *testing.T) {\n}\nfunc Testing() {\n}\nfunc ExampleB() {\n}\n", ["TestA", "ExampleB"]],
    ["a.rs", "#[tokio::test]\nasync fn a() {\n}\n\n#[test] fn b() { }\nfn c() {\n}\n", ["a", "b"]],
    ["a.rs", "mod tests {\n    #[test]\n    fn a<'b>() {\n        let c = '{';\n    }\n}\n", ["tests > a"]],
    [
      "ATest.java",
      'class ATest {\n  @Test\n  void adds() {\n  }\n  @Test @Disabled void b() {\n  }\n  @ParameterizedTest(name = "x")\n  @ValueSource(ints = 1)\n  void c(int d) {\n  }\n  void helper() {\n  }\n}\n',
      ["adds", "(b)", "c"],
    ],
    ["ATest.java", "@Disabled\nclass ATest {\n  @Test\n  void a() {\n  }\n}\n", ["(a)"]],
    ["ATest.kt", "class ATest {\n  @Test fun `adds two`() { }\n}\n", ["adds two"]],
    [
      "ATests.cs",
      'class A {\n  [Fact]\n  public void Adds()\n  {\n  }\n  [Fact(Skip = "x")]\n  public void B()\n  {\n  }\n  [Theory]\n  [InlineData(1)]\n  public void C(int d) {\n  }\n}\n',
      ["Adds", "(B)", "C"],
    ],
    [
      "a_spec.rb",
      'describe "a" do\n  it "b" do\n    ok\n  end\n\n  xit "c" do\n  end\n  fit "d" do\n  end\nend\n',
      ["(a > b)", "(a > c)", "a > d"],
    ],
    [
      "a_test.rb",
      "class A\n  def test_b\n    skip\n  end\n  def test_c\n  end\nend\n",
      ["(class A > test_b)", "class A > test_c"],
    ],
    [
      "ATest.php",
      "class ATest {\n  public function testB(): void\n  {\n  }\n  function testC() {\n    $this->markTestSkipped();\n  }\n}\n",
      ["testB", "(testC)"],
    ],
    ["ATest.java", "@Test\n  () {\n}\n", [""]],
    ["a.bats", '@test "a" {\n  run\n}\n@test "b" {\n  skip\n}\n', ["a", "(b)"]],
    ["a.sh", "test_a() {\n  ok\n}\nfunction test_b() {\n  ok\n}\n", ["test_a", "test_b"]],
  ])("reads %s: %j", (path, text, names) => {
    expect(told(path, text)).toEqual(names);
  });

  it("does not know every language", () => {
    expect(findChecks("a.test.zig", "test {}")).toBeNull();
  });

  it("returns the text outside of checks", () => {
    const text = 'import a from "b"; // why\n\ndescribe("c", () => {\n  beforeEach(d);\n  test("e", f);\n});\n';
    expect(findChecks("a.test.js", text)?.rest).toEqual(['import a from "b";', "  beforeEach(d);"]);
  });

  it.each([
    ['test("a", () => { ok( 1 ); });', "test('a', () => {\n  ok(1); // one\n});", true],
    ['test("a", () => { eq(b, "c d"); });', 'test("a", () => { eq(b, "cd"); });', false],
    ['test("a", () => { eq(f(1, 2,), [1,]); });', 'test("a", () => { eq(f(1, 2), [1]); });', true],
  ])("compares %j with %j", (one, other, isSame) => {
    const body = (text: string) => findChecks("a.test.js", text)?.checks[0]?.body;
    expect(body(one) === body(other)).toBe(isSame);
  });
});

describe("fileRole", () => {
  it.each([
    [
      "test",
      "a.test.ts",
      "src/a.spec.js",
      "test/test-a.js",
      "test_a.py",
      "a/tests.py",
      "a_test.go",
      "a_spec.rb",
      "AddTest.java",
    ],
    ["test", "a.bats", "run-tests.sh", "test.sh", "src/__tests__/a.js", "tests/a.rs", "CalcTests.cs"],
    ["snapshot", "__snapshots__/a.snap", "a.ambr"],
    [
      "fixture",
      "tests/conftest.py",
      "conftest.py",
      "test/fixtures/a.json",
      "testdata/x",
      "a.golden",
      "test/expected.txt",
    ],
    ["fixture", "test/helper.js", "src/test/java/Base.java", "tests/common/mod.rs", "__mocks__/fs.js"],
    ["code", "src/a.js", "src/testing.ts", "latest.sh", "contest/a.js", "README.md"],
  ])("classifies %s", (role, ...paths) => {
    expect(paths.map((path) => [path, fileRole(path)])).toEqual(paths.map((path) => [path, role]));
  });
});
