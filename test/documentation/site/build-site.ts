import { execFileSync } from 'node:child_process';

/** Builds the site beside the compiled program, as `npm start` does; returns at once when it is current. */
export function buildSite(outDir = 'dist'): void {
  execFileSync(process.execPath, ['scripts/docs/build.mjs', outDir], { stdio: 'pipe' });
}
