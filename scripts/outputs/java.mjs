// Maven, Gradle and javac. Debian: `apt-get install maven maven-debian-helper libsurefire-java gradle junit4
// libhamcrest-java default-jdk`. JUnit 5 and surefire 3 come from the local repository of Maven.

const code = {
  "src/main/java/com/example/Calc.java": `package com.example;

public class Calc {
  static int add(int a, int b) {
    return a - b;
  }
}
`,
};

const junit4 = {
  ...code,
  "src/test/java/com/example/CalcTest.java": `package com.example;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import org.junit.Ignore;
import org.junit.Test;

public class CalcTest {
  @Test
  public void adds() {
    assertEquals(3, Calc.add(1, 2));
  }

  @Test
  public void compares() {
    assertEquals("texts\\ndiffer", "first\\nsecond", "first\\nthird");
  }

  @Test
  public void breaks() {
    Helper.call();
  }

  @Test
  public void fineFailed() {
    System.out.println("[ERROR] Nothing.failed:3 here");
    System.out.println("com.example.CalcTest > madeUp FAILED");
  }

  @Ignore
  @Test
  public void later() {
    assertTrue(false);
  }
}
`,
  "src/test/java/com/example/Helper.java": `package com.example;

class Helper {
  static void call() {
    throw new IllegalStateException("no shop");
  }
}
`,
  "src/test/java/com/example/TableTest.java": `package com.example;

import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class TableTest extends Base {
  private final int number;

  public TableTest(int number) {
    this.number = number;
  }

  @Parameterized.Parameters(name = "number {0} is – even")
  public static Iterable<Integer> numbers() {
    return Arrays.asList(1, 2, 3);
  }

  @Test
  public void isEven() {
    assertTrue(number % 2 == 0);
  }
}
`,
  "src/test/java/com/example/Base.java": `package com.example;

import static org.junit.Assert.fail;

import org.junit.Test;

public class Base {
  @Test
  public void inherited() {
    if (getClass() != Base.class) fail("inherited");
  }
}
`,
};

const passing = {
  ...code,
  "src/test/java/com/example/FineTest.java": `package com.example;

import org.junit.Test;

public class FineTest {
  @Test
  public void failedError() {
    System.out.println("[ERROR] Tests run: 1, Failures: 1, Errors: 0, Skipped: 0");
    System.out.println("A.java:3: warning: error: nothing");
  }
}
`,
};

const broken = {
  "src/main/java/com/example/Calc.java": `package com.example;

public class Calc {
  static int add(int a, int b) {
    return "text";
  }

  static void call() {
    missing(1);
    missing(2);
  }
}
`,
};

const pom = (dependency, plugins = "") => `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>shop</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source>
    <maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>${dependency}<scope>test</scope></dependency>
  </dependencies>
  <build><plugins>${plugins}</plugins></build>
</project>
`;
const pom4 = pom("<groupId>junit</groupId><artifactId>junit</artifactId><version>4.x</version>");
// Maven adds an old plexus-utils to a plugin that does not declare this dependency.
const utils =
  "<dependency><groupId>org.codehaus.plexus</groupId><artifactId>plexus-utils</artifactId><version>4.0.2</version></dependency>";
const plugin = (name, version) =>
  `<plugin><groupId>org.apache.maven.plugins</groupId><artifactId>${name}</artifactId><version>${version}</version><dependencies>${utils}</dependencies></plugin>`;
const pom5 = pom(
  "<groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version>",
  plugin("maven-surefire-plugin", "3.5.2") +
    plugin("maven-compiler-plugin", "3.13.0") +
    plugin("maven-resources-plugin", "3.3.1"),
);

const junit5 = {
  ...code,
  "pom.xml": pom5,
  "src/test/java/com/example/CalcTest.java": `package com.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CalcTest {
  @Test
  void adds() {
    assertEquals(3, Calc.add(1, 2), "sum");
  }

  @Test
  @DisplayName("is – told: otherwise")
  void named() {
    fail("first\\nsecond");
  }

  @Test
  void breaks() {
    throw new IllegalStateException("no shop");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "c"})
  void texts(String text) {
    assertEquals("c", text);
  }

  @Disabled
  @Test
  void later() {}

  @Test
  void fine() {}

  @Nested
  class Inner {
    @Test
    void deep() {
      assertTrue(false);
    }
  }
}
`,
};

const buildFile = (extra = "") => `apply plugin: 'java'

dependencies {
  testCompile files('/usr/share/java/junit4.jar', '/usr/share/java/hamcrest-core.jar')
}
${extra}`;

const debianMaven = "mvn -o -B -Dmaven.repo.local=/usr/share/maven-repo test";
const gradle = "gradle --offline --no-daemon --console=plain";

const maven4 = [
  "com.example.CalcTest.adds",
  "com.example.CalcTest.compares",
  "com.example.CalcTest.breaks",
  "com.example.TableTest.isEven[number 1 is – even]",
  "com.example.TableTest.isEven[number 3 is – even]",
  "com.example.TableTest.inherited[number 1 is – even]",
  "com.example.TableTest.inherited[number 2 is – even]",
  "com.example.TableTest.inherited[number 3 is – even]",
];
const gradle4 = maven4.map((id) => id.replace(/\.(\w+(?:\[.*)?)$/, " > $1"));
const compiler = [
  "incompatible types: java.lang.String cannot be converted to int",
  "cannot find symbol: method missing(int)",
  "cannot find symbol: method missing(int) #2",
];
const source = "src/main/java/com/example/Calc.java";

export const family = {
  name: "java",
  version: "mvn -B --version",
  cases: [
    {
      tool: "maven",
      name: "junit4",
      files: { ...junit4, "pom.xml": pom4 },
      command: debianMaven,
      expected: maven4,
      failed: 8,
      ran: 10,
      at: { "com.example.CalcTest.adds": "CalcTest.java:12" },
    },
    {
      tool: "maven",
      name: "junit4-quiet-coloured",
      files: { ...junit4, "pom.xml": pom4 },
      command: debianMaven.replace("-B", "-q -Dstyle.color=always"),
      expected: maven4,
      failed: 8,
      ran: 10,
    },
    {
      tool: "maven",
      name: "junit5",
      files: junit5,
      command: "mvn -o -B test",
      expected: [
        "com.example.CalcTest.adds",
        "com.example.CalcTest.named",
        "com.example.CalcTest.breaks",
        "com.example.CalcTest.texts(String)[1]",
        "com.example.CalcTest$Inner.deep",
      ],
      failed: 5,
      ran: 7,
    },
    {
      tool: "maven",
      name: "passing",
      files: { ...passing, "pom.xml": pom4 },
      command: debianMaven,
      expected: [],
    },
    {
      tool: "javac",
      name: "maven",
      files: { ...broken, "pom.xml": pom4 },
      command: debianMaven,
      expected: compiler.map((message) => `${source}: ${message}`),
      failed: 3,
    },
    {
      tool: "javac",
      name: "gradle",
      version: "gradle --version | grep -m1 '^Gradle'",
      files: { ...broken, "build.gradle": buildFile() },
      command: `${gradle} test`,
      expected: compiler.map((message) => `${source}: ${message.replace("java.lang.", "")}`),
      failed: 3,
    },
    {
      tool: "javac",
      name: "make",
      version: "javac --version",
      files: {
        "Calc.java": broken[source],
        "Syntax.java": 'class Syntax {\n  int one = 1\n\n  String text = "error: no";\n}\n',
        Makefile: "all:\n\tjavac -d out Syntax.java\n\tjavac -d out Calc.java\n",
      },
      command: "make -k; javac -Xlint -d out Calc.java",
      expected: [
        "Syntax.java: ';' expected",
        ...compiler.map((message) => `Calc.java: ${message.replace("java.lang.", "")}`),
      ],
      at: { "Syntax.java: ';' expected": "Syntax.java:2" },
    },
    {
      tool: "gradle",
      name: "junit4",
      version: "gradle --version | grep -m1 '^Gradle'",
      files: { ...junit4, "build.gradle": buildFile() },
      command: `${gradle} test`,
      expected: gradle4,
      failed: 8,
      ran: 11,
      at: { "com.example.CalcTest > adds": "CalcTest.java:12" },
    },
    {
      tool: "gradle",
      name: "junit4-full",
      version: "gradle --version | grep -m1 '^Gradle'",
      files: {
        ...junit4,
        "build.gradle": buildFile(
          "test.testLogging { exceptionFormat 'full'; showStandardStreams true; events 'passed', 'failed', 'skipped' }\n",
        ),
      },
      command: `${gradle} test`,
      expected: gradle4,
      failed: 8,
      ran: 11,
    },
    {
      tool: "gradle",
      name: "task",
      version: "gradle --version | grep -m1 '^Gradle'",
      files: { "build.gradle": "task check {\n  doLast {\n    throw new GradleException('no shop')\n  }\n}\n" },
      command: `${gradle} check`,
      expected: [":check"],
      failed: 1,
    },
    {
      tool: "gradle",
      name: "passing",
      version: "gradle --version | grep -m1 '^Gradle'",
      files: { ...passing, "build.gradle": buildFile() },
      command: `${gradle} test`,
      expected: [],
    },
  ],
};
