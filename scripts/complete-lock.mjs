// Adds to package-lock.json the hashes of packages that were not installed when it was written (those for other
// operating systems), as far as the configured registry has them. npm checks the packages it installs against these
// hashes. The addresses of registries are not written.
// Usage: node scripts/complete-lock.mjs [--check]
// With --check nothing is changed, and the exit code is 1 when a required hash is missing.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const path = 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const missing = Object.entries(lock.packages).filter(
  ([place, { integrity, link }]) => place.includes('node_modules/') && !integrity && !link,
);

/** A registry may lack these: packages for one operating system, which npm installs only there. */
const forOneSystem = ({ optional, os, cpu }) => optional === true && (os !== undefined || cpu !== undefined);

function hashOf(name, version) {
  try {
    return execFileSync('npm', ['view', `${name}@${version}`, 'dist.integrity'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return '';
  }
}

if (!process.argv.includes('--check')) {
  for (const [place, entry] of missing) {
    const integrity = hashOf(place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length), entry.version);
    if (integrity !== '') lock.packages[place] = { version: entry.version, integrity, ...entry };
  }
  writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
}
const left = missing.filter(([place]) => !lock.packages[place].integrity);
for (const [place, entry] of left) console.log(`no hash: ${place} ${entry.version}`);
process.exitCode = left.some(([, entry]) => !forOneSystem(entry)) ? 1 : 0;
