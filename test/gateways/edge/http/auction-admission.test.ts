import { expect } from 'chai';
import { AuctionAdmission } from '#gateways/edge/http/auction-admission';

const MEGABYTE = 1024 * 1024;

describe('the gate for auctions', () => {
  it('turns away what is more than its number, until one leaves', () => {
    const gate = new AuctionAdmission(2);
    expect([gate.enter(10), gate.enter(10), gate.enter(10)]).to.deep.equal([true, true, false]);
    gate.leave(10);
    expect(gate.enter(10)).to.equal(true);
  });

  it('turns large bodies away beside auctions that hold 16 MB of them, and takes small ones', () => {
    const gate = new AuctionAdmission(2_000);
    const large = Array.from({ length: 20 }, () => gate.enter(MEGABYTE));
    expect(large.filter((entered) => entered)).to.have.length(16);
    expect(gate.enter(2_000), 'a small one').to.equal(true);
    gate.leave(MEGABYTE);
    expect([gate.enter(MEGABYTE), gate.enter(MEGABYTE)]).to.deep.equal([true, false]);
  });

  it('tells when the last auction has left', async () => {
    const gate = new AuctionAdmission(2);
    gate.enter(1);
    const empty = gate.whenEmpty();
    gate.leave(1);
    await empty;
    expect(gate.inFlight).to.equal(0);
  });
});
