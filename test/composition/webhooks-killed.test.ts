import { expect } from 'chai';
import { Receiver, verify } from '../gateways/webhooks/receiver.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from './installation.ts';

/** Until another process has the right to deliver. */
const patiently = { timeoutMs: 60_000, everyMs: 50 };

describe('webhooks of the program, which is killed', () => {
  let installation: Installation;
  let receiver: Receiver;
  before(async () => {
    installation = await Installation.make({ BOOTSTRAP_API_KEY: 'pk_live_of-this-test' });
    receiver = await Receiver.open();
  });
  after(async () => {
    await installation.remove();
    await receiver.close();
  });

  const call = async (method: string, path: string, body?: object) => {
    const answer = await installation.call(method, path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.oneOf([200, 201]);
    return answer.body;
  };

  it('receive each event, at whatever point the process was killed', async function () {
    this.timeout(240_000);
    const first = await installation.start();
    const events = ['pool.dsp_joined'];
    const { id, secret } = await call('POST', '/api/webhooks', { url: receiver.url, events });
    const pool = (await call('POST', '/api/supply/pools', { name: 'Pool' })).id;
    const dsps = [];
    for (const name of ['One', 'Two']) {
      dsps.push((await call('POST', '/api/demand/sources', { name, mode: 'delegate' })).id);
    }
    const subscribe = (dsp: string) => call('POST', `/api/demand/sources/${dsp}/pools/${pool}`);
    const deliveries = async () => (await call('GET', `/api/webhooks/${id}/deliveries`)).deliveries;

    // In the middle of a POST.
    receiver.manner = () => 'hang';
    await subscribe(dsps[0]!);
    await eventually('the first POST', () => receiver.received.length === 1, patiently);
    await first.kill();

    // Between two attempts.
    receiver.manner = () => 500;
    const second = await installation.start();
    const failed = await eventually(
      'a recorded attempt',
      async () => {
        const [delivery] = await deliveries();
        return delivery?.attempt_count >= 3 && delivery;
      },
      patiently,
    );
    await second.kill();
    const before = receiver.received.length;

    // As soon as the subscription was answered.
    receiver.manner = () => 200;
    const third = await installation.start();
    await subscribe(dsps[1]!);
    await third.kill();

    await installation.start();
    await eventually(
      'both to be delivered',
      async () => (await call('GET', `/api/webhooks/${id}/deliveries?status=delivered`)).total === 2,
      patiently,
    );
    for (const dsp of dsps) await subscribe(dsp);
    const listed = await deliveries();
    expect(listed.map(({ data }: { data: { dsp_id: string } }) => data.dsp_id)).to.have.members(dsps);
    const delivered = listed.find((delivery: { id: string }) => delivery.id === failed.id);
    const firstAgain = delivered.attempts[failed.attempt_count];
    expect(Date.parse(firstAgain.ended_at)).to.be.at.least(Date.parse(failed.next_attempt_at));
    for (const one of receiver.received) verify(one, secret);
    // One id for each event, whichever process sent it and how often; the first one's before the second one's.
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).to.equal(2);
    const told = receiver.received.slice(before).map(({ event }) => event.data.dsp_id);
    expect(told.lastIndexOf(dsps[0])).to.be.below(told.indexOf(dsps[1]));
  });
});
