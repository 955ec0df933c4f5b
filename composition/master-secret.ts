import { randomBytes } from 'node:crypto';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../runtime/actor/logger.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { MIN_SECRET_KEY_LENGTH } from '../settings/forms.ts';
import { InvalidSettings, type Settings } from '../settings.ts';
import { hasKnownSecret, knowsSecret } from './known-secrets.ts';
import { writeSecretFile } from './secret-file.ts';

/** The name under which releases up to 0.4 kept the master secret in the store that it protects. */
export const SECRET_VALUE_NAME = 'secret-key';
const FILE = 'secret-key';
const OWNER_ONLY = 0o600;

type SecretSettings = Pick<Settings, 'secretKey' | 'previousSecretKeys' | 'mongodbUrl' | 'dataDir'>;
type SecretStore = Pick<StateStore, 'getValue' | 'putIfAbsent' | 'withdraw'>;

/**
 * Checks that the master secret need not come from a database: a reader of a backup could then sign and unseal.
 * Programs that sign nothing read the same settings without it.
 * @throws InvalidSettings
 */
export function assertSecretKey({ secretKey, mongodbUrl }: Pick<SecretSettings, 'secretKey' | 'mongodbUrl'>): void {
  if (secretKey !== null || mongodbUrl === null) return;
  throw new InvalidSettings(
    `SECRET_KEY or SECRET_KEY_FILE must be set with MONGODB_URL: ${MIN_SECRET_KEY_LENGTH} random characters or more, the same for all processes (openssl rand -base64 33). A database of release 0.4 that holds one gives it up with: exchange export-secret-key --to <file>`,
  );
}

/**
 * Reads the master secret, from which all keys are derived: from the setting, or with the embedded store from the file
 * `secret-key` in the data folder, which is made (mode 0600) when there is none. A secret that a store of release 0.4
 * holds is moved to the file.
 *
 * The name stays withdrawn in the embedded store, so that release 0.4 refuses the data folder: it would sign with a
 * secret of its own, and neither release would bill what the other has sold.
 *
 * A secret that the exchange of the store has not had is used with a warning, which is repeated at each start.
 * @throws InvalidSettings where the exchange has had a secret, and there is none
 */
export async function masterSecret(settings: SecretSettings, store: SecretStore, logger: Logger): Promise<string> {
  const secret = await resolveSecret(settings, store, logger);
  if (!(await knowsSecret(store, secret, settings.previousSecretKeys))) {
    logger.warn(
      { setting: 'SECRET_KEY' },
      'this exchange has had another master secret: ads that it sold with that are not billed, and keys that were sealed with it stay closed. If it was changed on purpose, SECRET_KEY_PREVIOUS must name the former one',
    );
  }
  return secret;
}

async function resolveSecret(settings: SecretSettings, store: SecretStore, logger: Logger): Promise<string> {
  assertSecretKey(settings);
  const { secretKey, mongodbUrl, dataDir } = settings;
  const inStore = await store.getValue(SECRET_VALUE_NAME);
  if (secretKey !== null) {
    const isEmbedded = mongodbUrl === null;
    if (isEmbedded && (inStore === null || inStore === secretKey)) await store.withdraw(SECRET_VALUE_NAME);
    else if (inStore !== null) {
      const which = inStore === secretKey ? 'this SECRET_KEY' : 'another SECRET_KEY, of release 0.4';
      logger.warn({ setting: 'SECRET_KEY' }, `the store holds ${which}: take it out with exchange export-secret-key`);
    }
    return secretKey;
  }
  const path = join(dataDir, FILE);
  const kept = await keptSecret(settings);
  if (kept === null && inStore === null && (await hasKnownSecret(store))) {
    throw new InvalidSettings(
      `The master secret of this exchange is missing: there is no ${path}, and SECRET_KEY is not set. Put the file back (docs/backup.md): without it, ads that were sold are not billed and sealed keys stay closed. If it is lost for good, set SECRET_KEY to a new one (openssl rand -base64 33).`,
    );
  }
  const secret = kept ?? inStore ?? randomBytes(32).toString('base64url');
  if (kept === null) await writeSecretFile(path, `${secret}\n`);
  if (inStore === null || inStore === secret) await store.withdraw(SECRET_VALUE_NAME);
  else logger.warn({ path }, 'the store holds another SECRET_KEY than the file beside it');
  return secret;
}

/**
 * Reads the master secret that is kept outside the store: the setting, or the file in the data folder. Null when there
 * is neither.
 * @throws Error when the file holds fewer characters than a secret has
 */
export async function keptSecret({ secretKey, dataDir }: Pick<Settings, 'secretKey' | 'dataDir'>) {
  return secretKey ?? (await readSecretFile(join(dataDir, FILE)));
}

/** The text of the file; null when there is no file. */
async function readSecretFile(path: string): Promise<string | null> {
  try {
    const secret = (await readFile(path, 'utf8')).trim();
    if (secret.length < MIN_SECRET_KEY_LENGTH)
      throw new Error(`${path} holds fewer than ${MIN_SECRET_KEY_LENGTH} characters`);
    await chmod(path, OWNER_ONLY);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
