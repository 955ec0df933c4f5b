import { account } from '#actors/account/account';
import { limitsOf } from '#actors/account/limits';
import type { AccountState } from '#actors/account/reduce';
import { creativeDisk, creativeDiskId } from '#actors/creative-disk/creative-disk';
import { filesQuotaId, quota } from '#actors/quota/quota';
import { pause } from '#async/pause';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import type { StateStore } from '#runtime/ports/store';
import { CreativeRefused, FetchFailed } from '../fetch/failures.ts';

/** The owner of files in a quota: an account, live or in its sandbox. */
export interface FilesOwner {
  readonly accountId: string;
  readonly sandbox: boolean;
}

export interface FileQuotaDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load'>;
  readonly clock: Clock;
  /** Length of all files of the exchange at most. */
  readonly mostBytes: number;
}

/** A file that an account needs. */
export interface NeededFile {
  readonly sha256: string;
  readonly bytes: number;
  /** Whether the storage already has the file. */
  readonly stored: boolean;
}

/** Files of one account at most, whatever their length: each is an entry of its quota. */
const MAX_FILES_PER_ACCOUNT = 20_000;
const GIB = 1024 ** 3;
/** A file that is being deleted is asked for again after this many ms. */
const ASK_AGAIN_MS = 250;
const ATTEMPTS = 20;

/**
 * Decides whether a file may be stored. Actors count the files, so that all processes of the exchange share one count.
 */
export class FileQuota {
  readonly #deps: FileQuotaDeps;

  constructor(deps: FileQuotaDeps) {
    this.#deps = deps;
  }

  /**
   * Protects the file from collection for the time of one without references, and counts it for its owner, if there is
   * one.
   */
  async keep(file: NeededFile, owner: FilesOwner | null): Promise<void> {
    const settle = owner === null ? null : await this.#countForOwner(file, owner);
    try {
      await this.#keepOnDisk(file);
    } catch (error) {
      await settle?.(false);
      throw error;
    }
    await settle?.(true);
  }

  async #keepOnDisk({ sha256, bytes, stored }: NeededFile): Promise<void> {
    const { messenger, clock, mostBytes: most } = this.#deps;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      // From the second attempt on, the file that was being deleted is gone.
      const body = { sha256, bytes, stored: stored && attempt === 1, most };
      const kept = await messenger.ask(creativeDisk, creativeDiskId, 'want', body);
      if (kept === 'kept') return;
      if (kept === 'full') break;
      await pause(clock, ASK_AGAIN_MS);
    }
    throw new FetchFailed('was not kept: the exchange has no room for more files of creatives at the moment');
  }

  /** Claims the file in the owner's quota. Answers the function that ends the claim: with true the file is kept. */
  async #countForOwner({ sha256, bytes }: NeededFile, owner: FilesOwner): Promise<(kept: boolean) => Promise<void>> {
    const { messenger, store } = this.#deps;
    const { accountId, sandbox } = owner;
    const [document] = await store.load([{ kind: account.kind, id: accountId }]);
    const limited = (document?.state as AccountState | null | undefined) ?? { tier: 'standard' };
    const most = { count: MAX_FILES_PER_ACCOUNT, bytes: limitsOf(limited, sandbox).creative_files_bytes };
    const id = filesQuotaId(accountId, sandbox);
    const holder = holderOfFile(sha256);
    const claim = `${holder}:${bytes}`;
    const take = () =>
      messenger.ask(quota, id, 'take', {
        ...{ holder, claim, bytes, most, countAgainMs: null },
      });
    let room = await take();
    if (!room.taken && room.because === 'uncounted') {
      // The job that collects files counts the files of older releases.
      await messenger.ask(quota, id, 'recount', { present: {}, gone: {}, last: { archived: 0 } });
      room = await take();
    }
    if (!room.taken) {
      const bound =
        room.because === 'bytes' ? `${(most.bytes / GIB).toFixed(1)} GiB` : `${MAX_FILES_PER_ACCOUNT} files`;
      const where = sandbox ? ' in the sandbox' : '';
      throw new CreativeRefused(`was not kept: the creatives of an account come to at most ${bound}${where}`);
    }
    return async (kept) => {
      if (kept) await messenger.tell(quota, id, 'settle', { holder, claim, bytes, revision: 1 });
      else await messenger.tell(quota, id, 'give-back', { holder, claim }).catch(() => undefined);
    };
  }
}

/** The holder of a file in a quota: 96 bits of its hash tell the files of one account apart. */
export function holderOfFile(sha256: string): string {
  return sha256.slice(0, 24);
}
