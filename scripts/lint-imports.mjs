// Checks the directions of imports and that there are no cycles (.dependency-cruiser.cjs), those of types alone included.
// dependency-cruiser reads no TypeScript 7, and compiled files lack the imports of types: it is shown one small script for each
// source, with the imports of that source and nothing else, in a folder laid out as `dist`.
// Usage: node scripts/lint-imports.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { parseSync } from 'oxc-parser';

const BASE = '.build/imports';
const SOURCE = /(?<!\.d)\.tsx?$/;
/** What has a side in a rule: our own files and what Node.js brings. */
const CHECKED = /^(\.|node:)/;

/** Paths as written, of all that is imported and exported again, of types too, and of `import()` with a literal. */
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
// What is new and not yet committed counts, what is deleted and still in the index does not.
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
