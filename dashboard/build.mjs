// Builds the dashboard's pages into a folder of files, compressed beside themselves for the gateway that serves them.
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';

/**
 * An exchange without its dashboard is an exchange: what is wrong is said, and true is answered only if there is one.
 */
export async function buildDashboard(outDir) {
  const target = resolve(outDir);
  try {
    const { build } = await import('vite');
    const { compressFolder } = await import('../scripts/compress.mjs');
    const configFile = join(import.meta.dirname, 'vite.config.ts');
    await build({ configFile, logLevel: 'warn', build: { outDir: target } });
    await compressFolder(join(target, 'assets'));
    return true;
  } catch (error) {
    rmSync(target, { recursive: true, force: true });
    console.error('The dashboard could not be built; the exchange runs without it:', error);
    return false;
  }
}
