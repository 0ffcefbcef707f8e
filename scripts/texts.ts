/**
 * Compiles app/messages for whom it serves: one module for each language for tests, scripts and development (app/paraglide), which Node loads
 * fast, and one for each message for the build (.react-router/paraglide), so that a page has only its own. Reading the project takes 18 s of
 * processor, so it is read once for both.
 */
import fs from "node:fs";
import { type CompilerOptions, compileProject, writeOutput } from "@inlang/paraglide-js";
import { loadProjectFromDirectory } from "@inlang/sdk";

const PROJECT = "./project.inlang";
const OUTPUTS: { directory: string; options: Pick<CompilerOptions, "outputStructure" | "isServer"> }[] = [
  { directory: "app/paraglide", options: { outputStructure: "locale-modules" } },
  // What paraglide's plugin for Vite sets: the browser's scripts have no code of the server.
  {
    directory: ".react-router/paraglide",
    options: { outputStructure: "message-modules", isServer: "import.meta.env?.SSR ?? typeof window === 'undefined'" },
  },
];

const project = await loadProjectFromDirectory({ path: PROJECT, fs });
const problems = await project.errors.get();
if (problems.length > 0) throw new AggregateError(problems, `${PROJECT} cannot be read`);
for (const { directory, options } of OUTPUTS) {
  const output = await compileProject({ project, projectPath: PROJECT, compilerOptions: options });
  await writeOutput({ directory, output, cleanDirectory: true, fs: fs.promises });
}
await project.close();
