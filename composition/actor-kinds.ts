import { account } from '../actors/account/account.ts';
import { apiKey } from '../actors/api-key/api-key.ts';
import { dsp } from '../actors/dsp/dsp.ts';
import { ledger } from '../actors/ledger/ledger.ts';
import { name } from '../actors/name/name.ts';
import { partner } from '../actors/partner/partner.ts';
import { pool } from '../actors/pool/pool.ts';
import { publisher } from '../actors/publisher/publisher.ts';
import { tally } from '../actors/tally/tally.ts';
import type { AnyActorDefinition } from '../runtime/actor/define-actor.ts';

/** Every kind of actor that the exchange is made of. */
export const actorKinds: readonly AnyActorDefinition[] = [
  account,
  apiKey,
  dsp,
  ledger,
  name,
  partner,
  pool,
  publisher,
  tally,
];

/** Those whose views the gateways hold in memory. */
export const replicatedKinds: readonly string[] = [account.kind, apiKey.kind, dsp.kind, partner.kind, pool.kind, publisher.kind];
