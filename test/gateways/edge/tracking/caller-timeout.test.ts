import { expect } from 'chai';
import { EdgeUnderTest } from '#test/support/edge';

const PUBLISHER_ID = 'pub-1';

describe('POST /track/timeout', () => {
  const edge = new EdgeUnderTest();
  before(() => edge.start());
  after(() => edge.close());

  const call = (query: string, init: RequestInit = { method: 'POST' }) =>
    fetch(`${edge.origin}/track/timeout?${query}`, init);
  const counted = (sandbox = false) => edge.facts.publisher(PUBLISHER_ID, sandbox).callerTimeouts;

  it('counts the imps that a page gave up on, in the environment that it asked in', async () => {
    expect((await call(`publisher_id=${PUBLISHER_ID}&imps=3`)).status).to.equal(204);
    expect((await call(`publisher_id=${PUBLISHER_ID}`)).status).to.equal(204);
    expect((await call(`publisher_id=${PUBLISHER_ID}&imps=2&sandbox=true`)).status).to.equal(204);
    expect([counted(), counted(true)]).to.deep.equal([4, 2]);
  });

  it('counts nothing of what is malformed or names no publisher', async () => {
    const before = [counted(), counted(true)];
    const ours = `publisher_id=${PUBLISHER_ID}`;
    for (const query of ['imps=1', `${ours}&imps=0`, `${ours}&imps=101`, `${ours}&sandbox=maybe`]) {
      expect((await call(query)).status, query).to.equal(400);
    }
    expect((await call('publisher_id=unknown')).status).to.equal(403);
    expect((await call(`publisher_id=${PUBLISHER_ID}`, { method: 'GET' })).status).to.equal(405);
    expect([counted(), counted(true)]).to.deep.equal(before);
  });

  it('may be called by pages of any origin', async () => {
    const answer = await call(`publisher_id=${PUBLISHER_ID}`, {
      method: 'POST',
      headers: { origin: 'https://a.test' },
    });
    expect(answer.headers.get('access-control-allow-origin')).to.equal('https://a.test');
  });
});
