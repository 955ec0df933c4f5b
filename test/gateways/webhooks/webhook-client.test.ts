import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { DEFAULT_DELIVERY_SETTINGS } from '#gateways/webhooks/settings';
import { WebhookClient } from '#gateways/webhooks/webhook-client';
import { systemClock } from '#runtime/providers/system/system-clock';
import { eventually } from '../../support/eventually.ts';
import { Receiver } from './receiver.ts';

describe('gateways/webhooks/webhook-client', () => {
  let receiver: Receiver;
  let poster: WebhookClient;

  beforeEach(async () => {
    receiver = await Receiver.open();
    poster = new WebhookClient({ ...DEFAULT_DELIVERY_SETTINGS, allowPrivateNetworks: true }, systemClock);
  });
  afterEach(async () => {
    await poster.close();
    await receiver.close();
  });

  const post = (stop: AbortSignal) => poster.post(new URL(receiver.url), {}, '{"type":"webhook.test"}', stop);

  it('leaves nothing behind on the signal that outlives it', async () => {
    const { signal } = new AbortController();
    for (let attempts = 0; attempts < 3; attempts++) expect(await post(signal)).to.include({ httpStatus: 200 });
    expect(getEventListeners(signal, 'abort')).to.be.empty;
  });

  it('is given up when its process stops, and is no attempt then', async () => {
    receiver.manner = () => 'hang';
    const stopping = new AbortController();
    const attempt = post(stopping.signal);
    await eventually('the POST', () => receiver.received.length === 1);
    stopping.abort();
    expect(await attempt).to.equal(null);
    expect(await post(stopping.signal), 'begun after the stop').to.equal(null);
  });
});
