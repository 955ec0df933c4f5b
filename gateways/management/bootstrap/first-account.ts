import { account } from '#actors/account/account';
import { apiKey } from '#actors/api-key/api-key';
import { DAY_MS, HOUR_MS } from '#actors/ledger/ledger-id';
import { FILED_HOURS_ID, watermark } from '#actors/watermark/watermark';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import type { StateStore } from '#runtime/ports/store';
import { credentialId } from '../../http/credential-id.ts';
import { untilAnswered } from './until-answered.ts';

/** The id of the account that every installation begins with. */
export const firstAccountId = '00000000-0000-4000-8000-000000000001';

export interface FirstAccountOptions {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly random: Random;
  readonly clock: Clock;
  /** `pk_live_…`; null: the bootstrap generates a key. */
  readonly liveKey: string | null;
  /** `pk_sandbox_…`; null: the bootstrap generates a key. */
  readonly sandboxKey: string | null;
  /**
   * Stores a generated key before it becomes valid. Resolves with the key to use, which may be that of an earlier start
   * that was interrupted.
   */
  readonly storeKey?: (environment: 'live' | 'sandbox', key: string) => Promise<string>;
}

/**
 * The keys that were just generated at random. They must be shown now, since no plain copy is stored. Null: no key was
 * generated.
 */
export interface GeneratedKeys {
  readonly live: string | null;
  readonly sandbox: string | null;
}

/** Begins the books of an empty store: hours that were over a day before hold nothing, so no report asks for them. */
export async function beginBooks(messenger: Messenger, nowMs: number): Promise<void> {
  const throughMs = nowMs - (nowMs % HOUR_MS) - DAY_MS;
  await untilAnswered(() => messenger.ask(watermark, FILED_HOURS_ID, 'raise', { throughMs }));
}

/**
 * Opens the first account of an empty store, with one key for each environment, and begins its books. The call may run
 * at every start and may be interrupted anywhere: an environment that ever had a key, even a revoked one, gets no
 * other.
 */
export async function bootstrapFirstAccount(options: FirstAccountOptions): Promise<GeneratedKeys> {
  const { messenger, store, random, clock, liveKey, sandboxKey, storeKey: keep = async (_, key) => key } = options;
  const [first] = await store.load([{ kind: account.kind, id: firstAccountId }]);
  if (!first) {
    const { total } = await store.query(account.kind, { limit: 1 });
    if (total > 0) return { live: null, sandbox: null };
    await beginBooks(messenger, clock.now());
    await untilAnswered(() =>
      messenger.ask(account, firstAccountId, 'open', { name: 'First account', tier: 'standard' }),
    );
  }

  const register = async (environment: 'live' | 'sandbox', given: string | null): Promise<string | null> => {
    const where = { accountId: firstAccountId, environment };
    const { total } = await store.query(apiKey.kind, { where, limit: 1 });
    if (total > 0) return null;
    const key = given ?? (await keep(environment, `pk_${environment}_${random.id()}`));
    const hint = key.slice(0, `pk_${environment}_`.length + 4);
    const body = { accountId: firstAccountId, environment, name: 'First key', hint };
    await untilAnswered(() => messenger.ask(apiKey, credentialId(key), 'create', body));
    return given === null ? key : null;
  };
  return { live: await register('live', liveKey), sandbox: await register('sandbox', sandboxKey) };
}
