import { dsp } from '#actors/dsp/dsp';
import { publisher } from '#actors/publisher/publisher';
import type { SourceKey } from '#actors/source-key';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import type { WebhookState } from '#actors/webhook/reduce';
import { webhook } from '#actors/webhook/webhook';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import type { StateStore } from '#runtime/ports/store';
import { type MasterSecrets, webhookSealer } from '../../webhooks/signing-secret.ts';
import { secondFactorSealer } from '../identity/second-factor/second-factor-sealer.ts';
import { SOURCE_KEY_PURPOSE } from '../resources/source-keys/source-key.ts';
import { SealBroken, type Sealer, sealer } from './sealer.ts';

interface ResealDeps extends MasterSecrets {
  readonly store: Pick<StateStore, 'scan'>;
  readonly messenger: Pick<Messenger, 'ask'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/** A stored secret, and the same secret sealed under the present master secret. */
interface Resealed {
  readonly from: string;
  readonly sealed: string;
}

/**
 * Seals the keys of sources, the secrets of webhooks and those of second factors under the present master secret.
 * Resolves with a one-line summary. A secret that no known master secret opens is left as it is and counted: its owner
 * has to make a new one.
 */
export async function resealSecretsOf(deps: ResealDeps, signal: AbortSignal): Promise<string> {
  const { store, messenger, logger, secretKey, previousSecretKeys } = deps;
  const count = { resealed: 0, broken: 0 };
  const anew = (seal: Sealer, from: string, owner: string): Resealed[] => {
    try {
      const sealed = seal.reseal(from);
      if (sealed === null) return [];
      count.resealed += 1;
      return [{ from, sealed }];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      count.broken += 1;
      logger.warn(
        { whose: owner },
        'a secret in the store was sealed under an unknown SECRET_KEY: a new one must be made',
      );
      return [];
    }
  };

  const sourceKeys = sealer(secretKey, SOURCE_KEY_PURPOSE, previousSecretKeys);
  for (const kind of [publisher, dsp] as const) {
    for await (const { id, deleted, state } of store.scan(kind.kind)) {
      signal.throwIfAborted();
      const key = deleted ? null : ((state as { readonly sourceKey?: SourceKey }).sourceKey ?? null);
      const [resealed] = key === null ? [] : anew(sourceKeys, key.sealed, `${kind.kind}/${id}`);
      if (resealed === undefined) continue;
      if (kind === publisher) await messenger.ask(publisher, id, 'reseal-source-key', resealed);
      else await messenger.ask(dsp, id, 'reseal-source-key', resealed);
    }
  }
  const signing = webhookSealer(deps);
  for await (const { id, deleted, state } of store.scan(webhook.kind)) {
    signal.throwIfAborted();
    if (deleted) continue;
    const { sealedSecret, formerSecret } = state as WebhookState;
    const kept = [sealedSecret, ...(formerSecret ? [formerSecret.sealedSecret] : [])].filter((text) => text !== '');
    const secrets = kept.flatMap((from) => anew(signing, from, `webhook/${id}`));
    if (secrets.length > 0) await messenger.ask(webhook, id, 'reseal', { secrets });
  }
  const factors = secondFactorSealer(deps);
  for await (const { id, deleted, state } of store.scan(user.kind)) {
    signal.throwIfAborted();
    const factor = deleted ? null : ((state as UserState).secondFactor ?? null);
    const [resealed] = factor === null ? [] : anew(factors, factor.sealedSecret, `${user.kind}/${id}`);
    if (resealed !== undefined) await messenger.ask(user, id, 'reseal-second-factor', resealed);
  }
  return `${count.resealed} sealed anew, ${count.broken} that no SECRET_KEY opens`;
}
