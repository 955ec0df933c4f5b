import { expect } from 'chai';
import { eventually } from '#test/support/eventually';
import { loadCreativeState, type Seen, tellSeen } from '#test/support/seen-creative';
import type { Answer, ManagementClient } from '../management-client.ts';
import type { AccountClients, RunningManagement, UserClient } from '../running-management.ts';

/** An account that reviews creatives: it has a publisher, in a pool, and a demand source. */
export interface ReviewingAccount {
  readonly own: AccountClients;
  /** With a live key of the account. */
  readonly api: ManagementClient;
  /** Of the whole exchange. */
  readonly operator: UserClient;
  readonly poolId: string;
  readonly publisherId: string;
  readonly dspId: string;
  /** Another demand source of the account. */
  makeDsp(headers?: Record<string, string>): Promise<string>;
  /** Tells of a creative of the demand source that was offered to the publisher; resolves with its id. */
  see(fields?: Partial<Seen>): Promise<string>;
  /** Waits until what was decided is seen at the creative itself. */
  decidedAt(id: string, decision: string | null): Promise<void>;
  /** What a creative's review says, by scope. */
  standingsOf(id: string, client?: ManagementClient, path?: string): Promise<Record<string, string>>;
}

export async function openReviewingAccount(running: RunningManagement): Promise<ReviewingAccount> {
  const own = await running.newAccount();
  const { api } = own;
  const operator = await running.newUser(own.accountId, 'operator');
  const poolId = await made(api.post('/api/supply/pools', { name: 'Pool' }));
  const publisherId = await made(api.post('/api/supply/sources', { name: 'News', domain: 'n.example', type: 'web' }));
  await api.put(`/api/supply/pools/${poolId}/assign`, { publisher_id: publisherId });
  const makeDsp = (headers: Record<string, string> = {}) =>
    made(
      api.post(
        '/api/demand/sources',
        { name: `Bidder ${Math.random()}`, mode: 'rtb', endpoint_url: 'https://bidder.example/bid' },
        headers,
      ),
    );
  const dspId = await makeDsp();
  return {
    own,
    api,
    operator,
    poolId,
    publisherId,
    dspId,
    makeDsp,
    see: (fields = {}) =>
      tellSeen(running.parts, { accountId: own.accountId, dspId, publisherIds: [publisherId], ...fields }),
    async decidedAt(id, decision) {
      await eventually('the creative to be told', async () => {
        const state = await loadCreativeState(running.parts, id);
        return (state?.decisions[0]?.decision ?? null) === decision;
      });
    },
    async standingsOf(id, client = api, path = '/api/creatives') {
      const { status, body } = await client.get(`${path}/${id}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return Object.fromEntries(
        body.review.map(({ scope, state }: { scope: string; state: string }) => [scope, state]),
      );
    },
  };
}

/** The id of what was made. */
export async function made(answering: Promise<Answer>): Promise<string> {
  const { status, body } = await answering;
  expect(status, JSON.stringify(body)).to.equal(201);
  return body.id;
}
