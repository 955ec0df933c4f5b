import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keptSecret, SECRET_VALUE_NAME } from '../../composition/master-secret.ts';
import { DATA_FILE } from '../../runtime/providers/embedded/data-file.ts';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { readSettings } from '../../settings.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';

export const run: Run = async () => {
  const settings = readSettings(process.env);
  const { dataDir: folder, mongodbUrl, partitions } = settings;
  if (mongodbUrl !== null)
    throw new CommandFailed('With MONGODB_URL, start release 0.4 with the same SECRET_KEY.', EXIT.misuse);
  if (!existsSync(join(folder, DATA_FILE)))
    throw new CommandFailed(`No exchange has kept data in ${folder} (DATA_DIR).`, EXIT.misuse);
  const { store, close } = await openEmbedded({ folder, partitions, clock: systemClock });
  try {
    const [kept, stored] = [await keptSecret(settings), await store.getValue(SECRET_VALUE_NAME)];
    if (kept !== null && stored !== null && stored !== kept)
      throw new CommandFailed(
        'The data hold another master secret than SECRET_KEY or the file that has it: release 0.4 signs with theirs. Nothing was changed.',
        EXIT.misuse,
      );
    const secret = kept ?? stored;
    if (secret === null)
      throw new CommandFailed(`There is no master secret: put ${join(folder, 'secret-key')} back first.`, EXIT.misuse);
    await store.reinstate(SECRET_VALUE_NAME, secret);
  } finally {
    await close();
  }
  return {
    json: { data_dir: folder },
    text: `Release 0.4 can be started on ${folder}, and signs with the same secret, which the store holds until a later release is started.\n`,
  };
};
