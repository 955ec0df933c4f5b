// Builds the documentation site: the Markdown pages of docs/ and the few beside it that docs/site.json names, as files
// that the management gateway, or any server of files, serves under /docs.
// Usage: node scripts/docs/build.mjs [outDir=dist]
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SITE = join('docs', 'site.json');
const PICTURE = /\.(svg|png)$/;
/** What the site was made of, as a hash. It is no page: nothing serves a name that begins with a dot. */
const STAMP = '.made-of';

/** The files below a folder, in a fixed order. */
function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
}

function inputs() {
  const { beside } = JSON.parse(readFileSync(SITE, 'utf8'));
  return [...filesBelow('docs'), ...beside.filter((path) => existsSync(path)), ...filesBelow(join('scripts', 'docs'))];
}

function stampOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.update(readFileSync('package-lock.json')).digest('hex');
}

/**
 * Writes the site into `<outDir>/docs` if it is not current. An exchange without its documentation is an exchange: what
 * is wrong is said, and true is answered only if the site is there.
 */
export async function buildDocs(outDir) {
  const target = join(outDir, 'docs');
  try {
    const paths = inputs();
    const stamp = stampOf(paths);
    const stampFile = join(target, STAMP);
    if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return true;
    const { renderSite } = await import('./render-site.mjs');
    const files = renderSite(paths);
    rmSync(target, { recursive: true, force: true });
    for (const [path, content] of files) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), content);
    }
    for (const path of paths.filter((name) => PICTURE.test(name)))
      cpSync(path, join(outDir, path), { recursive: true });
    writeFileSync(stampFile, stamp);
    return true;
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    console.error('The documentation could not be built; the exchange runs without it:', error);
    return false;
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = (await buildDocs(process.argv[2] ?? 'dist')) ? 0 : 1;
}
