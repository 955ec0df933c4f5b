import { expect } from 'chai';
import type { ManagementDeps } from '#gateways/management/deps';
import type { RequestIds } from '#gateways/management/identity/request-ids';
import { type Decision, decide, MAX_RULES } from '#gateways/management/resources/creatives/decide';

const identity = { askId: () => undefined } as unknown as RequestIds;
const decision: Decision = {
  in: { scope: { kind: 'account', id: 'acct' }, accountId: 'acct', partnerId: null, sandbox: false },
  ...{ subject: 'attribute', value: '3', decision: 'block', reason: '', decidedBy: 'user/u', creative: null },
};

/** A store with so many rules of the account, among them perhaps the one that is decided again. */
function partsWith(total: number, exists: boolean): { parts: ManagementDeps; asked: unknown[] } {
  const asked: unknown[] = [];
  const parts = {
    store: {
      load: async () => [exists ? { deleted: false } : null],
      query: async (_kind: string, { where }: { where: object }) => {
        expect(where).to.deep.equal({ accountId: 'acct' });
        return { documents: [], total };
      },
    },
    messenger: {
      ask: async (...message: unknown[]) => {
        asked.push(message);
        return { ...(message[3] as object), decidedAt: '2026-03-14T09:26:53.589Z' };
      },
    },
  };
  return { parts: parts as unknown as ManagementDeps, asked };
}

describe('gateways/management/creatives: the number of decisions', () => {
  it('is bounded for an account', async () => {
    const { parts, asked } = partsWith(MAX_RULES, false);
    const outcome = await decide(parts, identity, decision).catch((error: unknown) => error);
    expect(outcome).to.include({ code: 'CONFLICT' });
    expect((outcome as Error).message).to.include('20,000');
    expect(asked).to.deep.equal([]);
  });

  it('leaves room for the last one, and for every decision anew', async () => {
    for (const { parts, asked } of [partsWith(MAX_RULES - 1, false), partsWith(MAX_RULES, true)]) {
      expect(await decide(parts, identity, decision)).to.include({ decision: 'block', value: '3' });
      expect(asked).to.have.lengthOf(1);
    }
  });
});
