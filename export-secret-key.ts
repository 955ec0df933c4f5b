import { open, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { SETTLED_NAME } from './composition/master-secret.ts';
import { openProviders } from './composition/open-providers.ts';
import { readSettings } from './settings.ts';

// Takes the master secret out of the store of an exchange of release 0.4, once, before the first start of a later one:
//   npm run export-secret-key -- --to /run/secrets/exchange     writes it there (mode 0600) and erases it from the store
//   npm run export-secret-key -- --to /run/secrets/exchange --keep     leaves it in the store
// Reads MONGODB_URL, DATA_DIR as the exchange does. Processes of 0.4 without a SECRET_KEY can be started no more afterwards; those
// that run go on. Exit code 1: the store holds none; 2: nothing was done.
try {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, keep: { type: 'boolean', default: false } },
  });
  if (values.to === undefined) throw new Error('--to <file> names the file that the secret is written to');
  process.exitCode = await exportTo(values.to, values.keep);
} catch (error) {
  process.stderr.write(`Nothing was exported: ${(error as Error).message}\n`);
  process.exitCode = 2;
}

async function exportTo(path: string, keep: boolean): Promise<number> {
  const { store, close } = await openProviders(readSettings(process.env), pino({ level: 'silent' }));
  try {
    const secret = await store.settled(SETTLED_NAME);
    if (secret === null) {
      process.stderr.write('The store holds no master secret.\n');
      return 1;
    }
    await write(path, secret);
    if (!keep) await store.withdraw(SETTLED_NAME);
    process.stdout.write(
      `Written to ${path}${keep ? '' : ', and erased from the store'}. Start every process with SECRET_KEY_FILE=${path}.\nBackups and free pages of the database may still hold it: docs/leaked-key.md says how to change it.\n`,
    );
    return 0;
  } finally {
    await close();
  }
}

/** A file that is there already must hold the same secret: an export that was cut off is run again. */
async function write(path: string, secret: string): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return null;
    throw error;
  });
  if (file === null) {
    if ((await readFile(path, 'utf8')).trim() === secret) return;
    throw new Error(`${path} is there already and holds something else`);
  }
  try {
    await file.writeFile(`${secret}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}
