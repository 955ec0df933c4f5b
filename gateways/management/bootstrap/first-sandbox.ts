import { dsp } from '../../../actors/dsp/dsp.ts';
import { maxTimeoutMs } from '../../../actors/dsp/messages.ts';
import { type DspState, dspNameId } from '../../../actors/dsp/reduce.ts';
import type { Claim } from '../../../actors/name/bearing.ts';
import { pool } from '../../../actors/pool/pool.ts';
import { poolNameId } from '../../../actors/pool/reduce.ts';
import { publisher } from '../../../actors/publisher/publisher.ts';
import { publisherNameId } from '../../../actors/publisher/reduce.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { personas } from '../../bidders/synthetic/personas.ts';
import { ApiError } from '../../errors.ts';
import { type ClaimingParts, withClaimedName } from '../changes/claim-name.ts';
import { firstAccountId } from './first-account.ts';

/** Fixed ids, so that the first ad request can be pasted from the documentation. */
export const firstSandbox = {
  publisherId: '00000000-0000-4000-8000-00000000000a',
  poolId: '00000000-0000-4000-8000-00000000000b',
} as const;

/** One of each type, so that every scenario has inventory of its own. The first is the one that documentation names. */
export const testPublishers = [
  {
    id: firstSandbox.publisherId,
    name: 'Sandbox publisher',
    domain: 'sandbox.example',
    type: 'web',
    contentGenre: 'news',
  },
  {
    id: '00000000-0000-4000-8000-0000000000c1',
    name: 'Sandbox CTV app',
    domain: 'example.sandbox.ctv',
    type: 'ctv',
    contentGenre: 'drama',
  },
  {
    id: '00000000-0000-4000-8000-0000000000c2',
    name: 'Sandbox mobile app',
    domain: 'example.sandbox.mobile',
    type: 'mobile',
    contentGenre: 'sport',
  },
] as const;

export interface FirstSandboxOptions extends ClaimingParts {
  readonly messenger: Messenger;
  readonly store: StateStore;
  /** Synthetic DSP name → its endpoint in this process. */
  readonly endpoints: ReadonlyMap<string, string>;
}

/**
 * Sandbox publishers in a pool to which the synthetic DSPs subscribe, so that a new user's first ad request fills.
 * Made once, in steps that can each be repeated; at every later start only the DSPs' endpoints are brought up to date,
 * since their ports change. What the user has archived or moved out of the sandbox is left alone.
 */
export async function bootstrapFirstSandbox(options: FirstSandboxOptions): Promise<void> {
  const { messenger, store, logger, endpoints } = options;
  const { poolId } = firstSandbox;
  const accountId = firstAccountId;
  const make = async (kind: string, id: string, nameId: string, create: (nameClaim: Claim) => Promise<unknown>) => {
    const [document] = await store.load([{ kind, id }]);
    const claiming = { nameId, holder: `${kind}/${id}`, claim: `first-sandbox:${id}` };
    if (document) return;
    try {
      await withClaimedName(options, claiming, create);
    } catch (error) {
      // The user has a source of that name: theirs stays, ours is not made.
      const taken = (error instanceof ApiError || error instanceof Rejected) && error.code === 'CONFLICT';
      if (!taken) throw error;
      logger.warn({ kind, id }, 'a part of the first sandbox was not made: its name is taken');
    }
  };

  const poolName = 'Sandbox pool';
  await make(pool.kind, poolId, poolNameId({ accountId, name: poolName }), (nameClaim) =>
    messenger.ask(pool, poolId, 'create', {
      accountId,
      name: poolName,
      description: 'Where the synthetic demand sources meet the sandbox publishers.',
      floorCpmMicros: 0,
      nameClaim,
    }),
  );

  for (const { id, ...fields } of testPublishers) {
    const publisherFields = { accountId, sandbox: true, ...fields };
    await make(publisher.kind, id, publisherNameId(publisherFields), (nameClaim) =>
      messenger.ask(publisher, id, 'create', {
        ...publisherFields,
        partnerId: null,
        poolId,
        floorCpmMicros: 0,
        blockedCategories: [],
        blockedDomains: [],
        nameClaim,
      }),
    );
  }

  let index = 0;
  for (const [name, endpointUrl] of endpoints) {
    const id = syntheticDspId(index++);
    const fields = { accountId, sandbox: true, name };
    await make(dsp.kind, id, dspNameId(fields), (nameClaim) =>
      messenger.ask(dsp, id, 'create', {
        ...fields,
        partnerId: null,
        mode: 'rtb',
        endpointUrl,
        dailyBudgetCents: 0,
        timeoutMs: personas.find((persona) => persona.name === name)?.timeoutMs ?? maxTimeoutMs,
        openrtbVersion: '2.6',
        nameClaim,
      }),
    );
    await refresh(options, id, endpointUrl);
  }
}

export function syntheticDspId(index: number): string {
  return `00000000-0000-4000-8000-0000000000d${index}`;
}

/** New port, same DSP; and its subscription, when nothing was done to the DSP since it was made. */
async function refresh({ messenger, store }: FirstSandboxOptions, id: string, endpointUrl: string): Promise<void> {
  const [document] = await store.load([{ kind: dsp.kind, id }]);
  const state = document?.state as DspState | undefined;
  if (state?.status !== 'sandbox') return;
  const scope = { accountId: firstAccountId, partnerId: null, sandboxOnly: true };
  if (state.createdAt === state.updatedAt) {
    await messenger.ask(dsp, id, 'subscribe', { scope, poolId: firstSandbox.poolId });
  }
  if (state.endpointUrl !== endpointUrl) await messenger.ask(dsp, id, 'update', { scope, changes: { endpointUrl } });
}
