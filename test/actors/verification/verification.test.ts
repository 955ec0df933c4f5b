import { expect } from 'chai';
import { type VerificationState, verification } from '#actors/verification/verification';
import { beginningMs, runActorCases, type Step } from '../actor-cases.ts';

const DAY_MS = 86_400_000;
const verified = {
  kind: 'verified',
  domain: 'news.example',
  fileUrl: 'https://news.example/ads.txt',
  relationship: 'DIRECT',
  certificationId: null,
  ownerDomain: null,
  managerDomains: [],
  warnings: [],
};
const failed = { kind: 'failed', domain: 'news.example', fileUrl: verified.fileUrl, reason: 'exchange_not_listed' };
const unavailable = { kind: 'unavailable', domain: 'news.example', fileUrl: verified.fileUrl, error: 'answered 503' };
const checked = (outcome: object, afterMs = 0, fields: object = {}): Step => ({
  type: 'checked',
  body: {
    accountId: 'a1',
    partnerId: null,
    sandbox: false,
    publisherName: 'News',
    about: 'web news.example ',
    expectedLine: 'exchange.example, p1, DIRECT',
    atMs: beginningMs + afterMs,
    outcome,
    ...fields,
  },
});
/** The position is that of the message in its case. */
const told = (type: string, data: object, afterMs: number, position: number) => ({
  to: 'webhook-roll/a1',
  type: 'happened',
  body: {
    partnerId: null,
    sandbox: false,
    type,
    resource: 'publisher/p1',
    eventId: `evt_verification_p1_${beginningMs}-${position}`,
    occurredAtMs: beginningMs,
    data: {
      publisher_id: 'p1',
      publisher_name: 'News',
      checked_at: new Date(beginningMs + afterMs).toISOString(),
      domain: 'news.example',
      file_url: verified.fileUrl,
      ...data,
    },
  },
});
const tellsVerified = (afterMs = 0, position = 0) =>
  told('publisher.verified', { relationship: 'DIRECT' }, afterMs, position);
const tellsFailed = (reason: string, message: string, afterMs = 0, position = 0) =>
  told(
    'publisher.verification_failed',
    { reason, message, expected_line: 'exchange.example, p1, DIRECT' },
    afterMs,
    position,
  );
const notListed = 'The file does not name this exchange.';

describe('actors/verification', () => {
  runActorCases(verification, 'p1', [
    {
      title: 'tells that a source is verified, and looks again within a day',
      when: checked(verified),
      does: {
        state: {
          status: 'verified',
          found: verified,
          changedAtMs: beginningMs,
          nextCheckAtMs: beginningMs + DAY_MS - 3_600_000,
        },
        sends: [tellsVerified()],
      },
    },
    {
      title: 'does not tell it again the next day',
      given: [checked(verified)],
      when: checked(verified, DAY_MS),
      does: { state: { status: 'verified', changedAtMs: beginningMs, foundAtMs: beginningMs + DAY_MS } },
    },
    {
      title: 'tells that it is not any more',
      given: [checked(verified)],
      when: checked(failed, DAY_MS),
      does: {
        state: { status: 'failed', found: failed, changedAtMs: beginningMs + DAY_MS },
        sends: [tellsFailed('exchange_not_listed', notListed, DAY_MS, 1)],
      },
    },
    {
      title: 'does not tell of another reason',
      given: [checked(failed)],
      when: checked({ ...failed, reason: 'file_not_found' }, DAY_MS),
      does: { state: { status: 'failed', changedAtMs: beginningMs } },
    },
    {
      title: 'keeps the result while the file cannot be read',
      given: [checked(verified)],
      when: checked(unavailable, DAY_MS),
      does: {
        state: {
          status: 'verified',
          found: verified,
          foundAtMs: beginningMs,
          checkedAtMs: beginningMs + DAY_MS,
          error: 'answered 503',
          unavailableSinceMs: beginningMs + DAY_MS,
        },
      },
    },
    {
      title: 'knows nothing of a source whose file could never be read',
      when: checked(unavailable),
      does: { state: { status: 'unverified', found: null, error: 'answered 503' } },
    },
    {
      title: 'lets go of the result after seven days in which the file could not be read',
      given: [checked(verified), checked(unavailable, DAY_MS), checked(unavailable, 7 * DAY_MS)],
      when: checked(unavailable, 8 * DAY_MS),
      does: {
        state: { status: 'failed', error: 'answered 503' },
        sends: [tellsFailed('unreachable', 'The file could not be read for seven days.', 8 * DAY_MS, 3)],
      },
    },
    {
      title: 'counts those days anew after the file was read',
      given: [checked(unavailable), checked(verified, 6 * DAY_MS)],
      when: checked(unavailable, 8 * DAY_MS),
      does: { state: { status: 'verified' } },
    },
    {
      title: 'begins anew with another domain',
      given: [checked(verified)],
      when: checked(verified, 60_000, { about: 'web other.example ' }),
      does: { state: { status: 'verified', about: 'web other.example ' }, sends: [tellsVerified(60_000, 1)] },
    },
    {
      title: 'tells live what it has told the sandbox before the source moved, once',
      given: [checked(verified, 0, { sandbox: true })],
      when: checked(verified, DAY_MS),
      does: {
        state: { status: 'verified', sandbox: false, changedAtMs: beginningMs },
        sends: [tellsVerified(DAY_MS, 1)],
      },
    },
    {
      title: 'tells it to each environment once',
      given: [checked(failed, 0, { sandbox: true }), checked(unavailable, DAY_MS), checked(failed, 2 * DAY_MS)],
      when: checked(failed, 3 * DAY_MS),
      does: { state: { status: 'failed', sandbox: false } },
    },
    {
      title: 'takes no notice of a look that is older than what is known',
      given: [checked(verified, 60_000)],
      when: checked(failed),
      does: { state: 'same' },
    },
  ]);

  it('takes a result of a release that kept no environment for one of the present environment', () => {
    const state = { ...verification.initial('p1'), status: 'verified', found: verified, about: 'web news.example ' };
    const context = { id: 'p1', address: 'verification/p1', nowMs: beginningMs, position: '1-0', random: () => 0.5 };
    const effects = verification.handle(state as VerificationState, checked(verified) as never, context);
    expect(effects).to.have.nested.property('state.sandbox', false);
    expect(effects).to.have.deep.property('sends', []);
  });
});
