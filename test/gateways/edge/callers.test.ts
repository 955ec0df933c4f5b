import { expect } from 'chai';
import { CallerAuthenticator } from '#gateways/edge/openrtb/callers';
import type { Replica } from '#runtime/actor/replica';
import { systemClock } from '#runtime/providers/system/system-clock';

describe('gateways/edge/callers', () => {
  /** Knows no key, and notes what it was asked for. */
  const asked: string[] = [];
  const replica = {
    ready: true,
    get: (_kind: string, id: string) => {
      asked.push(id);
      return undefined;
    },
    subscribe: () => () => undefined,
  } as unknown as Replica;
  const callers = new CallerAuthenticator(replica, systemClock);
  after(() => callers.close());

  const refusal = (key: string): unknown => {
    try {
      return callers.identify(key);
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };

  it('refuses what is longer than any key unread, so that it cannot fill the memory of hashes', () => {
    for (const key of ['pk_live_', 'pub_1_', '']) expect(refusal(key + 'x'.repeat(16_000))).to.equal('UNAUTHORIZED');
    expect(asked).to.deep.equal([]);
    expect(refusal(`pk_sandbox_${'x'.repeat(200)}`)).to.equal('UNAUTHORIZED');
    expect(asked).to.have.length(1);
  });
});
