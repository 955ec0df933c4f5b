import { open, readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { EXIT_MISUSE, readArguments } from './command-line.ts';
import { createProviders } from './composition/create-providers.ts';
import { SECRET_VALUE_NAME } from './composition/master-secret.ts';
import { readSettings } from './settings.ts';

const HELP = `Usage: npm run export-secret-key -- --to <file> [--keep]

Takes the master secret out of the store of an exchange of release 0.4, once, before the first start of a later one. Reads
MONGODB_URL, DATA_DIR as the exchange does. Processes of 0.4 without a SECRET_KEY can be started no more afterwards; those that run
go on.

  --to <file>   where it is written, with mode 0600
  --keep        leaves it in the store, too
  -h, --help    prints this
  --version     prints the version

Exit codes: 0 done, 1 the store holds none, 2 nothing was done.
`;

const { values } = await readArguments(HELP, { to: { type: 'string' }, keep: { type: 'boolean', default: false } });
try {
  if (values.to === undefined) throw new Error('--to <file> names the file that the secret is written to');
  process.exitCode = await exportTo(values.to, values.keep === true);
} catch (error) {
  process.stderr.write(`Nothing was exported: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}

async function exportTo(path: string, keep: boolean): Promise<number> {
  const { store, close } = await createProviders(readSettings(process.env), pino({ level: 'silent' }));
  try {
    const secret = await store.getValue(SECRET_VALUE_NAME);
    if (secret === null) {
      process.stderr.write('The store holds no master secret.\n');
      return 1;
    }
    await write(path, secret);
    if (!keep) await store.withdraw(SECRET_VALUE_NAME);
    process.stdout.write(
      `Written to ${path}${keep ? '' : ', and erased from the store'}. Start every process with SECRET_KEY_FILE=${path}.\nBackups and free pages of the database may still hold it: docs/leaked-key.md says how to change it.\n`,
    );
    return 0;
  } finally {
    await close();
  }
}

/**
 * Writes the secret to a new file. A file that exists must hold the same secret, so that an interrupted export can be
 * run again.
 */
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
