import { open, readFile } from 'node:fs/promises';
import { pino } from 'pino';
import { createProviders } from '../../composition/create-providers.ts';
import { SECRET_VALUE_NAME } from '../../composition/master-secret.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';

export const run: Run<{ to: string; keep?: boolean }> = async ({ options: { to, keep = false } }) => {
  const { store, close } = await createProviders(readSettings(process.env), pino({ level: 'silent' }));
  try {
    const secret = await store.getValue(SECRET_VALUE_NAME);
    if (secret === null) throw new CommandFailed('The store holds no master secret.', EXIT.refused, 'NOT_FOUND');
    await write(to, secret);
    if (!keep) await store.withdraw(SECRET_VALUE_NAME);
    return {
      json: { written_to: to, erased_from_store: !keep },
      text: `Written to ${to}${keep ? '' : ', and erased from the store'}. Start every process with SECRET_KEY_FILE=${to}.\nBackups and free pages of the database may still hold it: docs/leaked-key.md says how to change it.\n`,
    };
  } finally {
    await close();
  }
};

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
