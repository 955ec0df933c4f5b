// Checks the directions of imports, and that there are no cycles (.dependency-cruiser.cjs); imports of types count,
// too. dependency-cruiser cannot read TypeScript 7, and compiled files lack the imports of types. So it gets one small
// script for each source, with only the imports of that source, in a folder with the layout of `dist`.
// Usage: node scripts/lint-imports.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path/posix';
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { parseSync } from 'oxc-parser';

const BASE = '.build/imports';
const SOURCE = /(?<!\.d)\.tsx?$/;
/** The imports that the rules are about: our own files and the modules of Node.js. */
const CHECKED = /^([.#]|node:)/;
/** A path that climbs three folders is written from the top, `#actors/pool/pool` (`imports` in package.json). */
const CLIMBS = /^(\.\.\/){3}/;

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

/**
 * What the script of a source in `folder` imports for `imported`: a path below `dist`, relative, or a module of
 * Node.js.
 */
function compiledPath(folder, imported) {
  if (imported.startsWith('node:')) return imported;
  if (!imported.startsWith('#')) return imported.replace(SOURCE, '.js');
  const path = relative(folder, `${imported.slice(1)}.js`);
  return path.startsWith('.') ? path : `./${path}`;
}

rmSync(BASE, { recursive: true, force: true });
// New files that are not committed count; deleted files that are still in the index do not.
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
const climbing = [];
for (const path of listed.split('\n').filter((path) => SOURCE.test(path) && existsSync(path))) {
  const stub = join(BASE, 'dist', path.replace(SOURCE, '.js'));
  const imports = importsOf(path, readFileSync(path, 'utf8')).filter((imported) => CHECKED.test(imported));
  mkdirSync(dirname(stub), { recursive: true });
  writeFileSync(stub, imports.map((imported) => `import '${compiledPath(dirname(path), imported)}';\n`).join(''));
  if (!path.startsWith('dashboard/'))
    climbing.push(...imports.filter((imported) => CLIMBS.test(imported)).map((imported) => `${path}: ${imported}`));
}

const options = await extractOptions('./.dependency-cruiser.cjs');
const { output, exitCode } = await cruise(['dist'], { ...options, baseDir: BASE, outputType: 'err' });
console.log(output);
for (const line of climbing) console.log(`error climbs three folders, write it from the top with #: ${line}`);
process.exit(exitCode || (climbing.length > 0 ? 1 : 0));
