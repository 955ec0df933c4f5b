import { expect } from 'chai';
import { ConnectionPool } from '#gateways/bidders/connection-pool';

describe('connections to a bidder', () => {
  // Nothing is sent, so nothing is connected.
  const connections = () => new ConnectionPool('http://127.0.0.1:9', { pipelining: 1 });

  it('gives each call one of its own, and again the one used last', () => {
    const all = connections();
    const [first, second] = [all.take(), all.take()];
    expect(second).not.to.equal(first);
    first.release(true);
    second.release(true);
    expect(all.take()).to.equal(second);
    expect(all.take()).to.equal(first);
  });

  it('takes one that was lost only when no open one is idle', () => {
    const all = connections();
    const [open, lost] = [all.take(), all.take()];
    open.release(true);
    lost.release(false);
    expect(all.take()).to.equal(open);
    expect(all.take()).to.equal(lost);
  });

  it('closes every connection, those in use too', async () => {
    const all = connections();
    const [idle, used] = [all.take(), all.take()];
    idle.release(true);
    await all.destroy();
    expect(idle.client.destroyed).to.equal(true);
    expect(used.client.destroyed).to.equal(true);
  });
});
