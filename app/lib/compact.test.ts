import { readFileSync } from "node:fs";
import { parse } from "acorn";
import { expect, it } from "vitest";
import { compactCss, compactScript } from "./compact.ts";

it("takes comments and spaces off a style, and leaves what needs its space", () => {
  const css = `/* The head */
h1,
p > a:hover {
  margin: 0 auto;
  width: calc(1rem + 2px);
}
@media (max-width: 20rem) {
  main :focus {
    font: 1rem / 1.3 Roboto, "Noto Sans";
  }
}
`;
  expect(compactCss(css)).toBe(
    'h1,p > a:hover{margin:0 auto;width:calc(1rem + 2px)}@media (max-width:20rem){main :focus{font:1rem / 1.3 Roboto,"Noto Sans"}}',
  );
});

it("takes comments of their own line and indentation off a script", () => {
  expect(compactScript("// Why\n(() => {\n  // more\n  go('//x');\n})();\n")).toBe("(() => {\ngo('//x');\n})();");
});

it("the script of the waiting room's screen is ES5, for old televisions", () => {
  const script = compactScript(readFileSync("app/routes/light/tv.js", "utf8"));
  expect(() => parse(script, { ecmaVersion: 5 })).not.toThrow();
  expect(() => parse(`${script};(() => 0)()`, { ecmaVersion: 5 })).toThrow();
});
