import { describe, expect, it } from "vitest";
import { digestOutput } from "../../src/digest/digest-output.ts";

// Written by hand, because .NET was not available to record a real output.
const tests = `  Determining projects to restore...
  Shop.Tests -> /project/bin/Debug/net8.0/Shop.Tests.dll
Test run for /project/bin/Debug/net8.0/Shop.Tests.dll (.NETCoreApp,Version=v8.0)
VSTest version 17.11.1 (x64)

Starting test execution, please wait...
A total of 1 test files matched the specified pattern.
[xUnit.net 00:00:00.33]     Shop.Tests.CartTest.Adds [FAIL]
  Failed Shop.Tests.CartTest.Adds [3 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 4
Actual:   3
  Stack Trace:
     at Shop.Tests.CartTest.Adds() in /project/CartTest.cs:line 10
   at System.RuntimeMethodHandle.InvokeMethod(Object target, Void** arguments, Signature sig, Boolean isConstructor)
  Failed Shop.Tests.CartTest.IsEven(number: 3) [< 1 ms]
  Error Message:
   System.InvalidOperationException : no shop
  Stack Trace:
     at Shop.Cart.Find() in /project/Cart.cs:line 7
     at Shop.Tests.CartTest.IsEven(Int32 number) in /project/CartTest.cs:line 18
  Skipped Shop.Tests.CartTest.Later [1 ms]
  Failed to connect [3 ms]

Failed!  - Failed:     2, Passed:     3, Skipped:     1, Total:     6, Duration: 41 ms - Shop.Tests.dll (net8.0)
`;

const build = `MSBuild version 17.8.3+195e7f5a3 for .NET
  Determining projects to restore...
/project/Cart.cs(5,30): error CS1002: ; expected [/project/Shop.csproj::TargetFramework=net8.0]
/project/Cart.cs(5,30): error CS1002: ; expected [/project/Shop.csproj::TargetFramework=net6.0]
     2>/project/Cart.cs(9,3): warning CS0168: The variable 'error' is declared but never used [/project/Shop.csproj]
     2>/project/Cart.cs(12,7): error CS0103: The name 'missing' does not exist in the current context [/project/Shop.csproj]
CSC : error CS5001: Program does not contain a static 'Main' method suitable for an entry point [/project/Shop.csproj]
MSBUILD : error MSB1003: Specify a project or solution file.

Build FAILED.

/project/Cart.cs(5,30): error CS1002: ; expected [/project/Shop.csproj::TargetFramework=net8.0]
    1 Warning(s)
    4 Error(s)
`;

describe("the output of .NET", () => {
  it("names the tests that failed", () => {
    expect(digestOutput(tests)).toMatchObject({
      source: "tools",
      failed: 2,
      ran: 5,
      failures: [
        {
          tool: "dotnet test",
          id: "Shop.Tests.CartTest.Adds",
          file: "/project/CartTest.cs",
          line: 10,
          message: "Assert.Equal() Failure: Values differ",
          expected: "4",
          actual: "3",
        },
        {
          tool: "dotnet test",
          id: "Shop.Tests.CartTest.IsEven(number: 3)",
          file: "/project/Cart.cs",
          line: 7,
          message: "System.InvalidOperationException : no shop",
        },
      ],
    });
  });

  it("names the errors of compilers once", () => {
    const { failures, failed } = digestOutput(build, { folder: "/project" });
    expect(failed).toBe(4);
    expect(failures.map(({ tool, id, line }) => `${tool}: ${id} at ${line}`)).toEqual([
      "msbuild: Cart.cs: CS1002 ; expected at 5",
      "msbuild: Cart.cs: CS0103 The name 'missing' does not exist in the current context at 12",
      "msbuild: CSC: CS5001 Program does not contain a static 'Main' method suitable for an entry point at null",
      "msbuild: MSBUILD: MSB1003 Specify a project or solution file. at null",
    ]);
  });

  it("has no failures if all tests passed", () => {
    const passed =
      "Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, Duration: 4 ms - a.dll (net8.0)\n";
    expect(digestOutput(passed).source).not.toBe("tools");
  });
});
