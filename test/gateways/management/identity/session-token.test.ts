import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { makeSessionToken, readSessionToken, sessionTokenOf } from '#gateways/management/identity/session-token';
import { systemRandom } from '#runtime/providers/system/system-random';

describe('gateways/management/identity/session-token', () => {
  const userId = randomUUID();
  const token = makeSessionToken(userId, systemRandom);

  it('names its user, and is kept as a hash', () => {
    const sessionId = createHash('sha256').update(token).digest('hex');
    expect(readSessionToken(token)).to.deep.equal({ userId, sessionId });
  });

  it('is another one each time', () => expect(makeSessionToken(userId, systemRandom)).not.to.equal(token));

  for (const wrong of ['', userId, `${userId}.`, `${token}x`, `${token}.x`, token.toUpperCase(), `x${token}`]) {
    it(`is not "${wrong.slice(0, 60)}"`, () => expect(readSessionToken(wrong)).to.equal(null));
  }

  const cookies: readonly (readonly [header: string, found: string | null])[] = [
    [`exchange_session=${token}`, token],
    [`a=b; exchange_session=${token}; c=d`, token],
    [`a=b;exchange_session=${token}`, token],
    [`other_exchange_session=${token}`, null],
    ['exchange_session=; a=b', null],
    ['exchange_session', null],
    [`exchange_session=x; exchange_session=${token}`, token],
    [`__Host-exchange_session=${token}`, null],
    ['', null],
  ];
  for (const [header, found] of cookies) {
    it(`is ${found === null ? 'not ' : ''}in the cookies ${header.replaceAll(token, '…')}`, () =>
      expect(sessionTokenOf(header, { publicBaseUrl: 'http://localhost:8080' })).to.equal(found));
  }
});
