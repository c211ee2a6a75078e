// PHPUnit. Debian: `apt-get install phpunit`.

const several = {
  "tests/CalcTest.php": `<?php
use PHPUnit\\Framework\\TestCase;

final class CalcTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(4, 1 + 2);
    }

    public function testCompares(): void
    {
        $this->assertEquals("first\\nsecond", "first\\nthird", "texts differ");
    }

    public function testBreaks(): void
    {
        throw new RuntimeException("no shop");
    }

    public function testWarns(): void
    {
        $list = [];
        $list["missing"];
    }

    /** @dataProvider numbers */
    public function testEven(int $number): void
    {
        $this->assertSame(0, $number % 2);
    }

    public function numbers(): array
    {
        return [[1], [2], "three – größe" => [3], 'the "fifth" (odd)' => [5]];
    }

    public function testLater(): void
    {
        $this->markTestSkipped("later");
    }

    public function testHalf(): void
    {
        $this->markTestIncomplete("half");
    }

    public function testFine(): void
    {
        $this->assertTrue(true);
        print "1) CalcTest::testMadeUp\\nThere was 1 error:\\n";
    }
}
`,
};

const expected = [
  "CalcTest::testAdds",
  "CalcTest::testCompares",
  "CalcTest::testBreaks",
  "CalcTest::testWarns",
  "CalcTest::testEven with data set #0",
  'CalcTest::testEven with data set "three – größe"',
  'CalcTest::testEven with data set "the "fifth" (odd)"',
];
const at = { "CalcTest::testAdds": "tests/CalcTest.php:8" };

export const family = {
  name: "php",
  version: "phpunit --version",
  cases: [
    ...[
      ["several", "phpunit tests"],
      ["verbose-coloured", "phpunit --verbose --colors=always tests"],
      ["in-make", "make test"],
    ].map(([name, command]) => ({
      tool: "phpunit",
      name,
      files: { ...several, ...(name === "in-make" && { Makefile: "test:\n\t@phpunit --debug tests\n" }) },
      command,
      expected,
      failed: 7,
      ran: 9,
      at,
    })),
    {
      tool: "phpunit",
      name: "passing",
      files: {
        "tests/FineTest.php": `<?php
use PHPUnit\\Framework\\TestCase;

final class FineTest extends TestCase
{
    public function testFailedError(): void
    {
        $this->assertTrue(true);
        fwrite(STDERR, "There was 1 failure:\\n\\n");
    }
}
`,
      },
      command: "phpunit tests",
      expected: [],
    },
    {
      tool: "php",
      name: "syntax",
      files: { "tests/BrokenTest.php": "<?php\nfinal class BrokenTest\n{\n    public function\n}\n" },
      command: "php -l tests/BrokenTest.php",
      expected: ['tests/BrokenTest.php: syntax error, unexpected token "}"'],
      at: { 'tests/BrokenTest.php: syntax error, unexpected token "}"': "tests/BrokenTest.php:5" },
    },
    {
      tool: "php",
      name: "fatal",
      files: { "run.php": '<?php\nfunction call() {\n    missing();\n}\necho "begin\\n";\ncall();\n' },
      command: "php run.php",
      expected: ["run.php: Uncaught Error: Call to undefined function missing()"],
    },
  ],
};
