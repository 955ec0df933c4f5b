import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSecretFile } from './secret-file.ts';

const FILE = 'first-credentials.json';

/** The secrets that a first start makes at random and that were not shown yet. */
export interface FirstSecrets {
  /** The API keys of the first account. */
  readonly live_key?: string;
  readonly sandbox_key?: string;
  /** The email and password of the first user. */
  readonly email?: string;
  readonly password?: string;
}

/** The secrets of the first start, and the file that holds them until they are shown. */
export interface FirstCredentials {
  readonly path: string;
  readonly secrets: FirstSecrets;
}

/**
 * The file `first-credentials.json` in the data folder (mode 0600). A secret is written there before it becomes valid,
 * so that a start that is cut off at any point leaves no unknown valid secret; the next start uses the secrets that it
 * finds.
 */
export class FirstCredentialsFile {
  readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, FILE);
  }

  /** Stores the secrets of `fresh` that the file does not hold yet; resolves with all that the file holds then. */
  async keep(fresh: FirstSecrets): Promise<FirstSecrets> {
    const kept = { ...fresh, ...(await this.#read()) };
    await writeSecretFile(this.path, `${JSON.stringify(kept, null, 2)}\n`);
    return kept;
  }

  /** Removes secrets that never became valid because another process was quicker. */
  async drop(...names: (keyof FirstSecrets)[]): Promise<void> {
    const left = Object.entries((await this.#read()) ?? {}).filter(([name]) => !names.includes(name as never));
    if (left.length === 0) await this.remove();
    else await writeSecretFile(this.path, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`);
  }

  /** The secrets that were not shown yet; null when all were. */
  async unseen(): Promise<FirstCredentials | null> {
    const secrets = await this.#read();
    return secrets && { path: this.path, secrets };
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  async #read(): Promise<FirstSecrets | null> {
    try {
      return JSON.parse(await readFile(this.path, 'utf8'));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw new Error(`${this.path} cannot be read: ${(error as Error).message}`, { cause: error });
    }
  }
}
