import { expect } from 'chai';
import { NameLookups } from '#gateways/http/name-lookups';

describe('gateways/http/name-lookups', () => {
  const ADDRESSES = [{ address: '203.0.113.1', family: 4 }];

  /** Look-ups that wait until they are answered. */
  function held(maxNames: number) {
    const asked: string[] = [];
    const answer = new Map<string, (failure?: Error) => void>();
    const { addressesOf } = new NameLookups((hostname) => {
      asked.push(hostname);
      return new Promise((resolve, reject) => {
        answer.set(hostname, (failure) => (failure ? reject(failure) : resolve(ADDRESSES)));
      });
    }, maxNames);
    return { asked, answer, addressesOf };
  }

  it('looks a name up once for all who ask meanwhile, and again for whoever asks later', async () => {
    const { asked, answer, addressesOf } = held(9);
    const first = [addressesOf('a.test'), addressesOf('a.test'), addressesOf('b.test')];
    expect(asked).to.deep.equal(['a.test', 'b.test']);
    answer.get('b.test')!();
    answer.get('a.test')!();
    expect(await Promise.all(first)).to.deep.equal([ADDRESSES, ADDRESSES, ADDRESSES]);
    const later = addressesOf('a.test');
    answer.get('a.test')!(new Error('gone'));
    expect(await later.catch(({ message }) => message)).to.equal('gone');
    expect(asked).to.have.length(3);
  });

  it('fails at once for one more name than it may, and takes callers of the others', async () => {
    const { asked, answer, addressesOf } = held(2);
    const taken = [addressesOf('a.test'), addressesOf('b.test')];
    expect(await addressesOf('c.test').catch(({ code }) => code)).to.equal('EAI_AGAIN');
    taken.push(addressesOf('a.test'));
    answer.get('a.test')!();
    await taken[0];
    const next = addressesOf('c.test');
    for (const name of ['b.test', 'c.test']) answer.get(name)!();
    expect(await Promise.all([...taken, next])).to.have.length(4);
    expect(asked).to.deep.equal(['a.test', 'b.test', 'c.test']);
  });
});
