import { v5 as uuidByName } from 'uuid';
import { dsp } from '../../../actors/dsp/dsp.ts';
import { type DspState, dspNameId } from '../../../actors/dsp/reduce.ts';
import type { NameClaim } from '../../../actors/name/reservation.ts';
import { pool } from '../../../actors/pool/pool.ts';
import { poolNameId } from '../../../actors/pool/reduce.ts';
import { publisher } from '../../../actors/publisher/publisher.ts';
import { publisherNameId } from '../../../actors/publisher/reduce.ts';
import { Rejected } from '../../../runtime/actor/errors.ts';
import type { Messenger } from '../../../runtime/actor/messenger.ts';
import type { ActorDocument, StateStore } from '../../../runtime/ports/store.ts';
import { isSyntheticUrl, syntheticUrl } from '../../bidders/synthetic/in-process-channels.ts';
import { syntheticBidders } from '../../bidders/synthetic/synthetic-bidders.ts';
import { ApiError } from '../../errors.ts';
import { type NameClaimDeps, withClaimedName } from '../changes/claim-name.ts';
import { firstAccountId } from './first-account.ts';

/** Fixed ids of the first account's, so that the first ad request can be pasted from the documentation. */
export const firstSandbox = {
  publisherId: '00000000-0000-4000-8000-00000000000a',
  poolId: '00000000-0000-4000-8000-00000000000b',
} as const;

/** RFC 9562 §5.5: ids of other accounts' sandboxes are named by the account and the part, so that each start finds the same. */
const NAMESPACE = '3b0f5d0e-6c0c-4d3e-9a51-0d8f6f2a7c14';

/** One of each type, so that every scenario has inventory of its own. The first is the one that documentation names. */
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

/** The test publishers of an account, by their types. */
export function testPublishersOf(accountId: string) {
  return testPublishers.map(({ firstId, ...fields }) => ({
    ...fields,
    id: sandboxResourceId(accountId, `publisher/${fields.type}`, firstId),
  }));
}

/** Of the synthetic DSP at this place in the list of personas. */
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
 * Whether a document of the account's last synthetic DSP says that its sandbox was made whole, and by this release: one of 0.4 is
 * called at a loopback port.
 */
export function isSandboxComplete(document: ActorDocument | null): boolean {
  if (document === null) return false;
  const { status, endpointUrl, createdAt, updatedAt } = document.state as DspState;
  return document.deleted || status !== 'sandbox' || (isSyntheticUrl(endpointUrl) && createdAt !== updatedAt);
}

/**
 * Sandbox publishers in a pool to which the synthetic DSPs subscribe, so that a new user's first ad request fills.
 * Made once for each account, in steps that can each be repeated; later only endpoints of release 0.4 are replaced, which were ports
 * of its process. What the user has archived or moved out of the sandbox is left alone.
 */
export async function createAccountSandbox(options: AccountSandboxDeps, accountId: string): Promise<void> {
  const { messenger, store, logger } = options;
  const poolId = sandboxResourceId(accountId, 'pool', firstSandbox.poolId);
  const make = async (kind: string, id: string, nameId: string, create: (nameClaim: NameClaim) => Promise<unknown>) => {
    const [document] = await store.load([{ kind, id }]);
    const claiming = { nameId, holder: `${kind}/${id}`, claim: `first-sandbox:${id}` };
    if (document) return;
    try {
      await withClaimedName(options, claiming, create);
    } catch (error) {
      // The user has a source of that name: theirs stays, ours is not made.
      const taken = (error instanceof ApiError || error instanceof Rejected) && error.code === 'CONFLICT';
      if (!taken) throw error;
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

/** From 0.4's port to the persona; and its subscription, when nothing was done to the DSP since it was made. */
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
  // An endpoint that its user has set stays.
  if (isLegacySyntheticEndpoint(state.endpointUrl))
    await messenger.ask(dsp, id, 'update', { scope, changes: { endpointUrl } });
}

/** Where release 0.4 had its synthetic bidders: `http://127.0.0.1:<port>/<persona>`. */
function isLegacySyntheticEndpoint(endpointUrl: string | null): boolean {
  const { hostname, pathname } = new URL(endpointUrl ?? 'about:blank');
  return hostname === '127.0.0.1' && syntheticBidders.some(({ path }) => path === pathname);
}
