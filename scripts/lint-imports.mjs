// Checks the directions of imports, and that there are no cycles (.dependency-cruiser.cjs); imports of types count,
// too. dependency-cruiser cannot read TypeScript 7, and compiled files lack the imports of types. So it gets one small
// script for each source, with only the imports of that source, in a folder with the layout of `dist`.
// Usage: node scripts/lint-imports.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { parseSync } from 'oxc-parser';

const BASE = '.build/imports';
const SOURCE = /(?<!\.d)\.tsx?$/;
/** The imports that the rules are about: our own files and the modules of Node.js. */
const CHECKED = /^(\.|node:)/;

/** The paths, as written, of all imports and re-exports, types included, and of `import()` with a literal. */
function importsOf(path, text) {
  const { module, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0].message}`);
  const { staticImports, staticExports, dynamicImports } = module;
  const literals = dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end));
  return [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...literals.flatMap((literal) => /^(['"])(?<path>.*)\1$/.exec(literal)?.groups.path ?? []),
  ];
}

rmSync(BASE, { recursive: true, force: true });
// New files that are not committed count; deleted files that are still in the index do not.
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
for (const path of listed.split('\n').filter((path) => SOURCE.test(path) && existsSync(path))) {
  const stub = join(BASE, 'dist', path.replace(SOURCE, '.js'));
  const imports = importsOf(path, readFileSync(path, 'utf8')).filter((imported) => CHECKED.test(imported));
  mkdirSync(dirname(stub), { recursive: true });
  writeFileSync(stub, imports.map((imported) => `import '${imported.replace(SOURCE, '.js')}';\n`).join(''));
}

const options = await extractOptions('./.dependency-cruiser.cjs');
const { output, exitCode } = await cruise(['dist'], { ...options, baseDir: BASE, outputType: 'err' });
console.log(output);
process.exit(exitCode);
