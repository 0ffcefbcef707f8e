/** Reads the imports of every source file, for tests of browser bundles. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

type Import = {
  /** A file path from the root, or a package name (`@scope/name`, `name`, `node:fs`). */
  from: string;
  /** `*` for a namespace and for `import("…")`; empty for a side-effect import. */
  names: string[];
  /** Local name of the import. */
  local?: string;
  /** A type import. */
  typeOnly: boolean;
  /** A dynamic import: `import("…")`. */
  late: boolean;
};
export type Module = {
  path: string;
  text: string;
  file: ts.SourceFile;
  imports: Import[];
};

const FOLDERS = ["app", "demo", "scripts", "tests", "vite"];
const isSource = (name: string) => /\.(ts|tsx|mjs|js)$/.test(name);

/** Returns every source file not ignored by git, from the root: `app/lib/dates.ts`. */
export function sourcePaths(root: string): string[] {
  const inFolders = FOLDERS.flatMap((folder) =>
    (readdirSync(join(root, folder), { recursive: true }) as string[]).map((name) => `${folder}/${name.replaceAll("\\", "/")}`),
  );
  return [...readdirSync(root), ...inFolders].filter((path) => isSource(path) && !path.startsWith("app/paraglide/"));
}

function resolved(root: string, path: string, specifier: string): string {
  if (specifier.startsWith("#app/")) return specifier.slice(1);
  if (specifier.startsWith(".")) {
    const target = join(dirname(path), specifier.replace(/\?.*$/, ""));
    return existsSync(join(root, target)) && statSync(join(root, target)).isFile() ? target : `${target}.ts`;
  }
  return specifier.startsWith("node:") ? specifier : specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

const namesOf = (names: ts.BindingName): string[] =>
  ts.isIdentifier(names) ? [names.text] : names.elements.flatMap((one) => (ts.isOmittedExpression(one) ? [] : namesOf(one.name)));

export function readModule(root: string, path: string, text = readFileSync(join(root, path), "utf8")): Module {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, path.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const imports: Import[] = [];
  const take = (specifier: ts.Expression | undefined, names: string[], more: Partial<Import> = {}) => {
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({ from: resolved(root, path, specifier.text), names, typeOnly: false, late: false, ...more });
  };
  const top = (node: ts.Statement) => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      if (!clause) return take(node.moduleSpecifier, []);
      const typeOnly = clause.isTypeOnly;
      const { namedBindings: bindings } = clause;
      if (clause.name) take(node.moduleSpecifier, ["default"], { typeOnly, local: clause.name.text });
      if (bindings && ts.isNamespaceImport(bindings)) take(node.moduleSpecifier, ["*"], { typeOnly, local: bindings.name.text });
      if (bindings && ts.isNamedImports(bindings))
        for (const { name, propertyName, isTypeOnly } of bindings.elements)
          take(node.moduleSpecifier, [(propertyName ?? name).text], { typeOnly: typeOnly || isTypeOnly, local: name.text });
    } else if (ts.isExportDeclaration(node)) {
      if (node.exportClause && ts.isNamedExports(node.exportClause))
        for (const one of node.exportClause.elements)
          take(node.moduleSpecifier, [(one.propertyName ?? one.name).text], { typeOnly: node.isTypeOnly || one.isTypeOnly });
      else take(node.moduleSpecifier, ["*"], { typeOnly: node.isTypeOnly });
    }
  };
  file.statements.forEach(top);
  // `import("…")` and `typeof import("…")` can be anywhere; most files have none.
  if (/\bimport\(/.test(text)) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) take(node.arguments[0], ["*"], { late: true });
      if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
        take(node.argument.literal as ts.Expression, ["*"], { typeOnly: true });
      ts.forEachChild(node, visit);
    };
    visit(file);
  }
  return { path, text, file, imports };
}

const declares = (node: ts.Statement): string[] =>
  ts.isVariableStatement(node)
    ? node.declarationList.declarations.flatMap(({ name }) => namesOf(name))
    : "name" in node && node.name && ts.isIdentifier(node.name as ts.Node)
      ? [(node.name as ts.Identifier).text]
      : [];

const words = new WeakMap<ts.Statement, Set<string>>();
/** Returns the names a statement uses at run time, without types and member names. */
function wordsOf(statement: ts.Statement): Set<string> {
  const known = words.get(statement);
  if (known) return known;
  const found = new Set<string>();
  const follow = (node: ts.Node | undefined): void => {
    if (!node || (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node))) return;
    if (ts.isIdentifier(node)) found.add(node.text);
    else if (ts.isPropertyAccessExpression(node)) follow(node.expression);
    else if (ts.isJsxAttribute(node) || ts.isPropertyAssignment(node)) follow(node.initializer);
    else ts.forEachChild(node, follow);
  };
  follow(statement);
  words.set(statement, found);
  return found;
}
const isDefault = (node: ts.Statement) =>
  ts.isExportAssignment(node) ||
  (ts.canHaveModifiers(node) && ts.getModifiers(node)?.some((one) => one.kind === ts.SyntaxKind.DefaultKeyword) === true);

/**
 * Returns the files that a bundle with the exports `wanted` of a file includes, as tree shaking by name would (over-estimates:
 * a shadowed name counts as used). Ignores dynamic imports.
 * @param without exports that the bundler removes first, as React Router does with server exports
 * @returns each file with its first importer
 */
export function bundledWith(modules: Map<string, Module>, path: string, wanted: string[], without: string[] = []): Map<string, string> {
  const reached = new Map<string, string>();
  const done = new Set<string>();
  const want = (at: string, name: string, by: string): void => {
    if (done.has(`${at} ${name}`)) return;
    done.add(`${at} ${name}`);
    if (!reached.has(at)) reached.set(at, by);
    const found = modules.get(at);
    if (!found) return;
    const { file, imports } = found;
    const onward = imports.find((one) => one.local === undefined && !one.late && !one.typeOnly && one.names.includes(name));
    if (onward) want(onward.from, name, at);
    const use = (word: string): void => {
      if (done.has(`${at} = ${word}`) || (at === path && without.includes(word))) return;
      done.add(`${at} = ${word}`);
      for (const one of imports) if (one.local === word && !one.typeOnly) for (const each of one.names) want(one.from, each, at);
      for (const statement of file.statements) if (declares(statement).includes(word)) wordsOf(statement).forEach(use);
    };
    for (const statement of file.statements)
      if (
        name === "*" ||
        ts.isExpressionStatement(statement) ||
        (name === "default" && isDefault(statement)) ||
        declares(statement).includes(name)
      )
        wordsOf(statement).forEach(use);
  };
  for (const name of wanted) want(path, name, path);
  return reached;
}
