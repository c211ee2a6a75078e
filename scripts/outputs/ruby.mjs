// RSpec. Debian: `apt-get install ruby-rspec`.

const several = {
  "spec/calc_spec.rb": `class Calc
  def self.add(a, b) = a - b
end

RSpec.describe Calc do
  it "adds" do
    expect(Calc.add(1, 2)).to eq(3)
  end

  it "is fine when it failed" do
    puts "  1) Calc is made up"
    puts "rspec ./spec/calc_spec.rb:99 # Calc is made up"
    expect(Calc.add(0, 0)).to eq(0)
  end

  describe "#add" do
    context "with \\"odd\\" names – größe" do
      it "compares texts" do
        expect("first\\nsecond").to eq("first\\nthird")
      end

      [1, 2, 3].each do |number|
        it "handles #{number}" do
          expect(number).to be_odd, "#{number} is even"
        end
      end
    end
  end

  it "raises" do
    nil.missing
  end

  it "has several reasons", :aggregate_failures do
    expect(1).to eq(2)
    expect(true).to be(false)
  end

  it { expect(3).to be > 4 }

  xit "is later" do
    raise
  end

  it "is pending but works" do
    pending "not yet"
    expect(1).to eq(1)
  end

  it "is pending" do
    pending "not yet"
    expect(1).to eq(2)
  end
end
`,
};

const expected = [
  "Calc adds",
  'Calc#add with "odd" names – größe compares texts',
  'Calc#add with "odd" names – größe handles 2',
  "Calc raises",
  "Calc has several reasons",
  "Calc is expected to be > 4",
  "Calc is pending but works",
];
const at = { "Calc adds": "spec/calc_spec.rb:7" };

export const family = {
  name: "ruby",
  version: "rspec --version | grep rspec-core",
  cases: [
    ...[
      ["progress", "rspec"],
      ["documentation-coloured", "rspec --format documentation --force-color"],
      ["in-make", "make spec"],
      ["random", "rspec --order rand:3 --backtrace"],
      ["json", "rspec --format json"],
    ].map(([name, command]) => ({
      tool: "rspec",
      name,
      files: { ...several, ...(name === "in-make" && { Makefile: "spec:\n\trspec --format doc\n.PHONY: spec\n" }) },
      command,
      expected,
      failed: 7,
      ran: 10,
      ...(name !== "random" && name !== "json" && { at }),
    })),
    {
      tool: "rspec",
      name: "load-error",
      files: {
        "spec/broken_spec.rb": "RSpec.describe Missing do\nend\n",
        "spec/syntax_spec.rb": 'RSpec.describe "x" do\n  it "y" do\n',
        "spec/fine_spec.rb": 'RSpec.describe "fine" do\n  it("works") {}\nend\n',
      },
      command: "rspec",
      expected: ["./spec/broken_spec.rb", "./spec/syntax_spec.rb"],
      failed: 2,
    },
    {
      tool: "rspec",
      name: "shared",
      files: {
        "spec/support/even.rb": `RSpec.shared_examples "an even number" do
  it "is even" do
    expect(subject).to be_even
  end
end
`,
        "spec/number_spec.rb": `require_relative "support/even"

RSpec.describe Integer do
  before { raise "no numbers" if subject == 5 }

  context("with three") { subject { 3 }; it_behaves_like "an even number" }
  context("with four") { subject { 4 }; it_behaves_like "an even number" }
  context("with five") { subject { 5 }; it_behaves_like "an even number" }
end
`,
      },
      command: "rspec",
      expected: [
        "Integer with three behaves like an even number is even",
        "Integer with five behaves like an even number is even",
      ],
      failed: 2,
      ran: 3,
    },
    {
      tool: "rspec",
      name: "passing",
      files: {
        "spec/fine_spec.rb": `RSpec.describe "failures" do
  it "Failure/Error: is fine" do
    puts "Failures:", "", "  1) failures is made up"
  end

  it "is pending" do
    pending "not yet"
    raise "error"
  end
end
`,
      },
      command: "rspec --format documentation",
      expected: [],
    },
  ],
};
