// Scripts that execute inside the page. Each returns its violations, one per line.

const helpers = `
  const seen = (element) => element.checkVisibility() && element.getClientRects().length > 0;
  const named = (element) => element.id || element.className.toString() || element.tagName;
`;
const looking = (body) => `(() => { ${helpers} ${body} })()`;

const axe = (options) => `axe.run(${options}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html.slice(0, 120)).join(" | ")))`;

export const inPage = {
  tab: looking(`
    const icon = document.getElementById("icon").href;
    const kind = document.getElementById("headline").dataset.kind;
    const words = document.title.split(" - ");
    return icon.startsWith("data:image/svg") && kind !== undefined && words.length === 3 ? [] : [document.title];
  `),

  sideways: looking(`
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth > clientWidth ? [scrollWidth + " of " + clientWidth] : [];
  `),

  cut: looking(`
    return [...document.querySelectorAll("body *")].filter((element) => {
      if (element.closest("svg") !== null || !seen(element) || element.children.length > 0) return false;
      const { overflowX, overflowY, webkitLineClamp, textOverflow, whiteSpace } = getComputedStyle(element);
      const isWide = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
      const isHigh = element.scrollHeight > element.clientHeight + 2 && element.clientHeight > 0;
      const wideHas = overflowX === "auto" || textOverflow === "ellipsis" || element.tagName === "TEXTAREA";
      const highHas = overflowY === "auto" || overflowY === "visible" || webkitLineClamp !== "none" || element.tagName === "TEXTAREA";
      return (isWide && !wideHas) || (isHigh && !highHas);
    }).map(named);
  `),

  /** Finds touch targets smaller than 44 pixels, or less than 8 pixels apart unless both are rows of a list. */
  targets: looking(`
    const wrong = [];
    const all = [...document.querySelectorAll("button, select, textarea, summary, a, input, [role=treeitem]")].filter(seen);
    for (const target of all) {
      const { width, height } = target.getBoundingClientRect();
      if (width < 44 || height < 44) wrong.push(named(target) + " is " + Math.round(width) + " by " + Math.round(height));
    }
    const free = all.filter((target) => target.role !== "treeitem" && target.closest("#chart") === null);
    for (const [index, one] of free.entries()) {
      for (const other of free.slice(index + 1)) {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        const apart = Math.max(b.left - a.right, a.left - b.right, b.top - a.bottom, a.top - b.bottom);
        if (apart < 7.5) wrong.push(named(one) + " and " + named(other) + " are " + apart.toFixed(1) + " apart");
      }
    }
    return wrong;
  `),

  sticky: looking(`
    return [...document.querySelectorAll("body *")].filter((element) => {
      const { position } = getComputedStyle(element);
      return (position === "sticky" || position === "fixed") && element.offsetHeight > innerHeight / 3;
    }).map(named);
  `),

  axe: axe("{}"),
  colours: axe('{ runOnly: ["color-contrast"] }'),

  /** Finds graphical marks whose contrast with their background is below 3 to 1. */
  marks: looking(`
    const read = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const light = (colour) => {
      const [r, g, b] = read(colour).map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, other) => {
      const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const behind = (element) => {
      for (let each = element; each !== null; each = each.parentElement) {
        const colour = getComputedStyle(each).backgroundColor;
        if (read(colour)[3] !== 0) return colour;
      }
      return "rgb(255, 255, 255)";
    };
    const marks = {
      ".bar": "backgroundColor", ".sign": "color", "button, select, textarea, pre, .track": "borderTopColor",
      ".decision, .error, #asked": "borderInlineStartColor", header: "borderBottomColor", footer: "borderTopColor",
      "svg rect, svg .edge.next, svg .edge.came": "stroke", "svg .begin": "fill",
    };
    const wrong = [];
    for (const [selector, property] of Object.entries(marks)) {
      for (const element of [...document.querySelectorAll(selector)].filter(seen)) {
        if (element.getBoundingClientRect().width === 0 && element.closest("svg") === null) continue;
        const got = ratio(getComputedStyle(element)[property], behind(element.parentElement));
        if (got < 3) wrong.push(selector + " " + named(element) + " has " + got.toFixed(2));
      }
    }
    const timeline = behind(document.querySelector("footer"));
    const probe = document.body.appendChild(document.createElement("i"));
    for (const name of ["--line", "--bad", "--ask"]) {
      probe.style.color = "var(" + name + ")";
      const got = ratio(getComputedStyle(probe).color, timeline);
      if (got < 3) wrong.push("timeline " + name + " has " + got.toFixed(2));
    }
    probe.remove();
    return wrong;
  `),
};
