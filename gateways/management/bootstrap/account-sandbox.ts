import { v5 as uuidByName } from 'uuid';
import { dsp } from '#actors/dsp/dsp';
import { type DspState, dspNameId } from '#actors/dsp/reduce';
import type { NameClaim } from '#actors/name/reservation';
import { pool } from '#actors/pool/pool';
import { poolNameId } from '#actors/pool/reduce';
import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { Rejected } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import { isSyntheticUrl, syntheticUrl } from '../../bidders/synthetic/in-process-channels.ts';
import { syntheticBidders } from '../../bidders/synthetic/synthetic-bidders.ts';
import { ApiError } from '../../errors.ts';
import { type NameClaimDeps, withClaimedName } from '../changes/claim-name.ts';
import { firstAccountId } from './first-account.ts';

/** The fixed ids of the first account's sandbox, so that the first ad request can be pasted from the documentation. */
export const firstSandbox = {
  publisherId: '00000000-0000-4000-8000-00000000000a',
  poolId: '00000000-0000-4000-8000-00000000000b',
} as const;

/**
 * The namespace (RFC 9562 §5.5) of resource ids in other accounts' sandboxes. The name is the account and the part, so
 * that each start computes the same ids.
 */
const NAMESPACE = '3b0f5d0e-6c0c-4d3e-9a51-0d8f6f2a7c14';

/** One publisher of each type, so that every scenario has its own inventory. The documentation names the first one. */
const testPublishers = [
  {
    firstId: firstSandbox.publisherId,
    name: 'Sandbox publisher',
    domain: 'sandbox.example',
    type: 'web',
    contentGenre: 'news',
  },
  {
    firstId: '00000000-0000-4000-8000-0000000000c1',
    name: 'Sandbox CTV app',
    domain: 'example.sandbox.ctv',
    type: 'ctv',
    contentGenre: 'drama',
  },
  {
    firstId: '00000000-0000-4000-8000-0000000000c2',
    name: 'Sandbox mobile app',
    domain: 'example.sandbox.mobile',
    type: 'mobile',
    contentGenre: 'sport',
  },
] as const;

export interface AccountSandboxDeps extends NameClaimDeps {
  readonly messenger: Messenger;
  readonly store: StateStore;
}

/** The test publishers of an account, one of each type. */
export function testPublishersOf(accountId: string) {
  return testPublishers.map(({ firstId, ...fields }) => ({
    ...fields,
    id: sandboxResourceId(accountId, `publisher/${fields.type}`, firstId),
  }));
}

/** The id of the account's synthetic DSP at this index of the list of personas. */
export function syntheticDspId(index: number, accountId: string = firstAccountId): string {
  return sandboxResourceId(
    accountId,
    `dsp/${syntheticBidders[index]!.name}`,
    `00000000-0000-4000-8000-0000000000d${index}`,
  );
}

function sandboxResourceId(accountId: string, part: string, firstId: string): string {
  return accountId === firstAccountId ? firstId : uuidByName(`${accountId}/${part}`, NAMESPACE);
}

/**
 * Whether the document of the account's last synthetic DSP shows that the sandbox was completed, and by this release:
 * the DSP of release 0.4 has an endpoint at a loopback port.
 */
export function isSandboxComplete(document: ActorDocument | null): boolean {
  if (document === null) return false;
  const { status, endpointUrl, createdAt, updatedAt } = document.state as DspState;
  return document.deleted || status !== 'sandbox' || (isSyntheticUrl(endpointUrl) && createdAt !== updatedAt);
}

/**
 * Creates sandbox publishers in a pool to which the synthetic DSPs subscribe, so that a new user's first ad request
 * fills. This happens once for each account, in steps that can each be repeated. Later calls only replace the endpoints
 * of release 0.4, which were ports of its process. Resources that the user has archived or moved out of the sandbox
 * stay as they are.
 */
export async function createAccountSandbox(options: AccountSandboxDeps, accountId: string): Promise<void> {
  const { messenger, store, logger } = options;
  const poolId = sandboxResourceId(accountId, 'pool', firstSandbox.poolId);
  const make = async (kind: string, id: string, nameId: string, create: (nameClaim: NameClaim) => Promise<unknown>) => {
    const [document] = await store.load([{ kind, id }]);
    const claimRequest = { nameId, holder: `${kind}/${id}`, claim: `first-sandbox:${id}` };
    if (document) return;
    try {
      await withClaimedName(options, claimRequest, create);
    } catch (error) {
      // The user has a source of that name, which stays; the test source is not created.
      const isTaken = (error instanceof ApiError || error instanceof Rejected) && error.code === 'CONFLICT';
      if (!isTaken) throw error;
      logger.warn({ kind, id }, 'a part of an account’s sandbox was not made: its name is taken');
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

  for (const { id, ...fields } of testPublishersOf(accountId)) {
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

  for (const [index, persona] of syntheticBidders.entries()) {
    const { name, timeoutMs } = persona;
    const id = syntheticDspId(index, accountId);
    const endpointUrl = syntheticUrl(persona);
    const fields = { accountId, sandbox: true, name };
    await make(dsp.kind, id, dspNameId(fields), (nameClaim) =>
      messenger.ask(dsp, id, 'create', {
        ...fields,
        partnerId: null,
        mode: 'rtb',
        endpointUrl,
        dailyBudgetCents: 0,
        timeoutMs,
        openrtbVersion: '2.6',
        nameClaim,
      }),
    );
    await upgradeSyntheticDsp(options, { id, endpointUrl, accountId, poolId });
  }
}

/**
 * Replaces the endpoint of release 0.4 by the persona's URL, and subscribes the DSP if it was not changed since it was
 * created.
 */
async function upgradeSyntheticDsp(
  { messenger, store }: AccountSandboxDeps,
  {
    id,
    endpointUrl,
    accountId,
    poolId,
  }: { readonly id: string; readonly endpointUrl: string; readonly accountId: string; readonly poolId: string },
): Promise<void> {
  const [document] = await store.load([{ kind: dsp.kind, id }]);
  const state = document?.state as DspState | undefined;
  if (state?.status !== 'sandbox') return;
  const scope = { accountId, partnerId: null, sandboxOnly: true };
  if (state.createdAt === state.updatedAt) {
    await messenger.ask(dsp, id, 'subscribe', { scope, poolId });
  }
  // An endpoint that the user has set stays.
  if (isLegacySyntheticEndpoint(state.endpointUrl))
    await messenger.ask(dsp, id, 'update', { scope, changes: { endpointUrl } });
}

/** Whether release 0.4 had a synthetic bidder at this URL: `http://127.0.0.1:<port>/<persona>`. */
function isLegacySyntheticEndpoint(endpointUrl: string | null): boolean {
  const { hostname, pathname } = new URL(endpointUrl ?? 'about:blank');
  return hostname === '127.0.0.1' && syntheticBidders.some(({ path }) => path === pathname);
}
