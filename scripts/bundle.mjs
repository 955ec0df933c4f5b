// Bundles the program that `npm start` and the image run: all that dist/main.js imports, of packages too, in a few
// files below dist/bundle. A thousand files less are found, read and linked at a start.
import { mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';

/** Packages that are loaded as they are installed: with binaries or files of their own, or used by few processes. */
const LOADED_APART = [
  '@aws-sdk/*',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace-base',
  'bree',
  'ioredis',
  'lmdb',
  'mediainfo.js',
  'mongodb',
  'protobufjs',
  'swagger-ui-dist',
  'undici',
];

const DAY_MS = 24 * 3_600_000;

/**
 * Bundles the compiled program. Comments are left out, names are kept. Modules that a thread or a reader of files names
 * by its URL stay where they are, and `import.meta.url` in the bundle is the address of the module that it stood in.
 * @param outDir the folder of the compiled program
 * @param bundleDir the folder for the bundle, below `outDir`
 * @returns the files of the bundle with what is in them, as esbuild says it
 */
export async function bundleProgram(outDir, bundleDir = join(outDir, 'bundle')) {
  const nextDir = `${bundleDir}.next`;
  rmSync(nextDir, { recursive: true, force: true });
  const compiled = resolve(outDir) + sep;
  const compiledModules = {
    name: 'compiled modules',
    setup({ onLoad, onResolve }) {
      // As `imports` of package.json says it of the folder `dist`.
      onResolve({ filter: /^#/ }, ({ path, importer }) =>
        importer.startsWith(compiled) ? { path: `${compiled}${path.slice(1)}.js` } : undefined,
      );
      onLoad({ filter: /\.js$/ }, async ({ path }) => {
        if (!path.startsWith(compiled)) return undefined;
        const code = await readFile(path, 'utf8');
        const place = relative(bundleDir, path).replaceAll(sep, '/');
        return { contents: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`) };
      });
    },
  };
  const { metafile } = await build({
    entryPoints: [join(outDir, 'main.js')],
    outdir: nextDir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: LOADED_APART,
    // Two packages bring a release of depd that calls `eval`; the one at the top has the same functions.
    alias: { depd: 'depd' },
    // Packages in CommonJS ask for modules of Node.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module';const require = createRequireOfBundle(import.meta.url);",
    },
    charset: 'ascii',
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    // In reach of an `eval` no variable of the whole file would be optimised.
    logOverride: { 'direct-eval': 'error' },
    metafile: true,
    plugins: [compiledModules],
  });
  const files = Object.keys(metafile.outputs);
  for (const file of files) if (file.endsWith('.js')) assertOneByteCharacters(file, await readFile(file, 'utf8'));
  putInPlace(nextDir, bundleDir);
  return Object.fromEntries(files.map((file) => [join(bundleDir, basename(file)), metafile.outputs[file]]));
}

/**
 * Puts a complete bundle in the place of the last one, the file that is started last. A process that runs the last one
 * may still load files of it: those that no build of the last day has made are removed.
 */
function putInPlace(nextDir, bundleDir) {
  mkdirSync(bundleDir, { recursive: true });
  const names = readdirSync(nextDir).sort((a, b) => Number(a.startsWith('main.')) - Number(b.startsWith('main.')));
  for (const name of names) renameSync(join(nextDir, name), join(bundleDir, name));
  rmSync(nextDir, { recursive: true });
  const oldestMs = Date.now() - DAY_MS;
  for (const name of readdirSync(bundleDir)) {
    const file = join(bundleDir, name);
    if (!names.includes(name) && statSync(file).mtimeMs < oldestMs) rmSync(file);
  }
}

/** One character beyond Latin-1 makes V8 keep the whole file in two bytes a character. Patterns are not escaped. */
function assertOneByteCharacters(file, code) {
  const at = code.search(/[^\0-\xff]/);
  if (at === -1) return;
  const around = code.slice(Math.max(0, at - 40), at + 40);
  throw new Error(
    `${file} has a character beyond Latin-1, of a package that scripts/bundle.mjs should leave apart: ${around}`,
  );
}
