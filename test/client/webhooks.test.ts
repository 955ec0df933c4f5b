import { expect } from 'chai';
import { verifyWebhook, WebhookVerificationError } from '#client/index';
import { makeSigningSecret } from '#gateways/webhooks/signing-secret';
import { webhookBody, webhookHeaders } from '#gateways/webhooks/webhook-message';

describe('the verification of webhooks by the client', () => {
  const secret = makeSigningSecret();
  const other = makeSigningSecret();
  const data = { pool_id: 'p1', dsp_id: 'd1', dsp_name: 'Northern Bidder', dsp_mode: 'rtb' };
  const body = webhookBody({ type: 'pool.dsp_joined', occurredAtMs: Date.now(), data } as Parameters<
    typeof webhookBody
  >[0]);
  const sign = (secrets: readonly string[], atMs = Date.now()) => webhookHeaders('evt_1', body, secrets, atMs);
  const refuses = (verify: () => unknown) => expect(verify).to.throw(WebhookVerificationError);

  it('takes what the exchange signs, and tells its id and its event', () => {
    const { id, event } = verifyWebhook(sign([secret]), body, secret);
    expect(id).to.equal('evt_1');
    if (event.type !== 'pool.dsp_joined') throw new Error(`it is ${event.type}`);
    expect(event.data.dsp_name).to.equal('Northern Bidder');
  });

  it('takes the headers of fetch, and bodies in bytes', () => {
    const bytes = new TextEncoder().encode(body);
    expect(verifyWebhook(new Headers(sign([secret])), bytes, secret).id).to.equal('evt_1');
  });

  it('takes one of several signatures, and one of several secrets', () => {
    expect(verifyWebhook(sign([other, secret]), body, secret).id).to.equal('evt_1');
    expect(verifyWebhook(sign([secret]), body, [other, secret]).id).to.equal('evt_1');
  });

  it('refuses another secret, another body, another id, and headers that are not there', () => {
    refuses(() => verifyWebhook(sign([other]), body, secret));
    refuses(() => verifyWebhook(sign([secret]), `${body} `, secret));
    refuses(() => verifyWebhook({ ...sign([secret]), 'webhook-id': 'evt_2' }, body, secret));
    refuses(() => verifyWebhook({}, body, secret));
    refuses(() => verifyWebhook(sign([secret]), body, []));
  });

  it('refuses what was signed more than five minutes from now, before or after', () => {
    for (const minutes of [-6, 6])
      refuses(() => verifyWebhook(sign([secret], Date.now() + minutes * 60_000), body, secret));
    for (const minutes of [-4, 4]) {
      expect(verifyWebhook(sign([secret], Date.now() + minutes * 60_000), body, secret).id).to.equal('evt_1');
    }
  });

  it('says why, and never the secret', () => {
    const error = (() => {
      try {
        return verifyWebhook(sign([other]), body, secret);
      } catch (thrown) {
        return thrown as Error;
      }
    })() as Error;
    expect(error.message).to.equal('The delivery is not accepted: No matching signature found');
  });
});
