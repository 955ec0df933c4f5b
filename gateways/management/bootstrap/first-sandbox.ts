import { dsp } from '../../../actors/dsp/dsp.ts';
import { type DspState, dspNameId } from '../../../actors/dsp/reduce.ts';
import type { Claim } from '../../../actors/name/bearing.ts';
import { pool } from '../../../actors/pool/pool.ts';
import { poolNameId } from '../../../actors/pool/reduce.ts';
import { publisher } from '../../../actors/publisher/publisher.ts';
import { publisherNameId } from '../../../actors/publisher/reduce.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { StateStore } from '../../../runtime/ports/store.ts';
import { type ClaimingParts, withClaimedName } from '../changes/claim-name.ts';
import { firstAccountId } from './first-account.ts';

/** Fixed ids, so that the first ad request can be pasted from the documentation. */
export const firstSandbox = {
  publisherId: '00000000-0000-4000-8000-00000000000a',
  poolId: '00000000-0000-4000-8000-00000000000b',
} as const;

export interface FirstSandboxOptions extends ClaimingParts {
  readonly messenger: Messenger;
  readonly store: StateStore;
  /** Synthetic DSP name → its endpoint in this process. */
  readonly endpoints: ReadonlyMap<string, string>;
}

/**
 * A sandbox publisher in a pool to which the synthetic DSPs subscribe, so that a new user's first ad request fills.
 * Made once, in steps that can each be repeated; at every later start only the DSPs' endpoints are brought up to date,
 * since their ports change. What the user has archived or moved out of the sandbox is left alone.
 */
export async function bootstrapFirstSandbox(options: FirstSandboxOptions): Promise<void> {
  const { messenger, store, endpoints } = options;
  const { poolId, publisherId } = firstSandbox;
  const accountId = firstAccountId;
  const make = async (kind: string, id: string, nameId: string, create: (nameClaim: Claim) => Promise<unknown>) => {
    const [document] = await store.load([{ kind, id }]);
    const claiming = { nameId, holder: `${kind}/${id}`, claim: `first-sandbox:${id}` };
    if (!document) await withClaimedName(options, claiming, create);
  };

  const poolName = 'Sandbox pool';
  await make(pool.kind, poolId, poolNameId({ accountId, name: poolName }), (nameClaim) =>
    messenger.ask(pool, poolId, 'create', {
      accountId,
      name: poolName,
      description: 'Where the synthetic demand sources meet the sandbox publisher.',
      floorCpmMicros: 0,
      nameClaim,
    }),
  );

  const publisherFields = { accountId, sandbox: true, name: 'Sandbox publisher' };
  await make(publisher.kind, publisherId, publisherNameId(publisherFields), (nameClaim) =>
    messenger.ask(publisher, publisherId, 'create', {
      ...publisherFields,
      partnerId: null,
      domain: 'sandbox.example',
      type: 'web',
      poolId,
      floorCpmMicros: 0,
      contentGenre: null,
      blockedCategories: [],
      blockedDomains: [],
      nameClaim,
    }),
  );

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
        timeoutMs: 150,
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
