import { expect } from 'chai';
import { actorKinds } from '../../composition/actor-kinds.ts';

/** The kinds and messages whose requested changes leave an entry, as the trail of a year has to have them. */
const AUDITED = [
  'account',
  'adjustment/book',
  'api-key',
  'campaign',
  'dsp',
  'invitation',
  'job-lease/request',
  'partner',
  'pool',
  'publisher',
  'session/end',
  'session/open',
  'session/revoke',
  'strategy',
  'user',
  'webhook',
  'webhook-lane/enqueue',
];

const eager = actorKinds.filter(({ saving }) => saving === 'eager');

describe('actors: what leaves an audit entry', () => {
  it('is every requested change of a resource, and of other kinds what somebody does', () => {
    const named = eager.flatMap(({ kind, messages, audit: { entry = 'states', none = {} } = {} }) => {
      if (typeof none === 'string') return [];
      const left = Object.keys(messages).filter((type) => !Object.hasOwn(none, type));
      return entry === 'states' ? [kind] : left.map((type) => `${kind}/${type}`);
    });
    expect(named).to.include.members(AUDITED);
  });

  it('is all but what is named with a reason', () => {
    for (const { kind, messages, audit } of actorKinds) {
      const none = audit?.none ?? {};
      const reasons = typeof none === 'string' ? { [kind]: none } : none;
      for (const [name, reason] of Object.entries(reasons)) {
        expect([kind, ...Object.keys(messages)], kind).to.include(name);
        expect(reason, `${kind}/${name}`).to.match(/^[A-Z][a-z]* .{6,}\.$/);
      }
    }
  });

  it('is nothing of kinds that are saved lazily, which nobody asks', () => {
    for (const { kind, saving, audit } of actorKinds) {
      if (saving === 'lazy') expect(audit, kind).to.equal(undefined);
    }
  });
});
