import { expect } from 'chai';
import { againstExchange, errorOf, TIMESTAMP, UUID } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange('webhooks', (exchange) => {
  shows('webhook.register', async () => {
    const url = 'https://publisher.example/events';
    const events = [
      'publisher.verified',
      'publisher.verification_failed',
      'publisher.fill_rate_alert',
      'pool.dsp_joined',
    ];
    const registered = await exchange.call('POST', '/api/webhooks', { url, events });
    expect(registered.status, JSON.stringify(registered.body)).to.equal(201);
    const { id, secret, created_at: createdAt, ...rest } = registered.body;
    expect(id).to.match(UUID);
    expect(createdAt).to.match(TIMESTAMP);
    expect(rest).to.include({ url, status: 'active' });
    expect(rest.events).to.deep.equal(events);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).to.have.length.within(24, 64);
    const { webhooks } = (await exchange.get('/api/webhooks')).body;
    expect(webhooks.map((webhook: { id: string }) => webhook.id)).to.deep.equal([id]);

    const unknown = { url: `${url}/other`, events: ['publisher.created'] };
    expect(errorOf(await exchange.call('POST', '/api/webhooks', unknown))).to.equal('400 VALIDATION_ERROR events[0]');
    expect(errorOf(await exchange.call('POST', '/api/webhooks', { events }))).to.equal('400 INVALID_PARAMS url');
  });
});
