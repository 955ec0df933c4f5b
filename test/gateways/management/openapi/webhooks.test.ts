import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { SubscribableEvent } from '#actors/webhook/fields';
import { eventTypes } from '#actors/webhook-subscriptions/events';
import { describeApi } from '#gateways/management/openapi/describe-api';
import type { Reference } from '#gateways/management/openapi/document';
import { routes } from '#gateways/management/routes';
import { defaultManagementSettings } from '#gateways/management/settings';
import { webhookBody } from '#gateways/webhooks/webhook-message';

describe('gateways/management/openapi: webhooks', () => {
  const { webhooks, components } = describeApi(routes, defaultManagementSettings);
  const bodySchemaOf = (type: string) => {
    const { $ref } = webhooks[type]!.post!.requestBody!.content['application/json']!.schema as Reference;
    return components.schemas![$ref.replace('#/components/schemas/', '')];
  };

  it('describes every event, those that are subscribed to among them', () => {
    expect(Object.keys(webhooks)).to.deep.equal(eventTypes);
    expect(eventTypes).to.include.members([...SubscribableEvent.enum]);
  });

  it('says of each what its headers are, and what acknowledges', () => {
    for (const type of eventTypes) {
      const { parameters, responses } = webhooks[type]!.post!;
      expect(parameters?.map((parameter) => 'name' in parameter && parameter.name)).to.deep.equal([
        'webhook-id',
        'webhook-timestamp',
        'webhook-signature',
      ]);
      expect(Object.keys(responses)).to.deep.equal(['200']);
    }
  });

  it('describes what is sent', () => {
    const occurredAtMs = Date.UTC(2026, 2, 14);
    const data = { pool_id: 'p1', dsp_id: 'd1', dsp_name: 'Bidder', dsp_mode: 'rtb' as const };
    const sent = JSON.parse(webhookBody({ type: 'pool.dsp_joined', occurredAtMs, data }));
    expect(Compile(bodySchemaOf('pool.dsp_joined') as never).Errors(sent)).to.deep.equal([]);
    expect(Compile(bodySchemaOf('publisher.verified') as never).Check(sent)).to.equal(false);
  });
});
