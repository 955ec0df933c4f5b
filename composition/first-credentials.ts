import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeSecretFile } from './secret-file.ts';

const FILE = 'first-credentials.json';

/** What a first start makes at random, and nobody has seen yet. */
export interface FirstSecrets {
  /** API keys of the first account. */
  readonly live_key?: string;
  readonly sandbox_key?: string;
  /** Of the first user. */
  readonly email?: string;
  readonly password?: string;
}

/** Secrets that were made at the first start, and the file where they are until somebody has seen them. */
export interface FirstCredentials {
  readonly path: string;
  readonly secrets: FirstSecrets;
}

/**
 * The file `first-credentials.json` in the data folder (mode 0600). A secret is in it before it is made valid, so that a start that
 * is cut off anywhere leaves none that nobody knows; the next start uses those that it finds.
 */
export class FirstCredentialsFile {
  readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, FILE);
  }

  /** Keeps what `fresh` holds and the file does not; resolves with all that the file holds then. */
  async keep(fresh: FirstSecrets): Promise<FirstSecrets> {
    const kept = { ...fresh, ...(await this.#read()) };
    await writeSecretFile(this.path, `${JSON.stringify(kept, null, 2)}\n`);
    return kept;
  }

  /** Takes out secrets that never became valid: another process was quicker. */
  async drop(...names: (keyof FirstSecrets)[]): Promise<void> {
    const left = Object.entries((await this.#read()) ?? {}).filter(([name]) => !names.includes(name as never));
    if (left.length === 0) await this.remove();
    else await writeSecretFile(this.path, `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`);
  }

  /** Null when everything was seen. */
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
