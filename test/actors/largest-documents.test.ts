import { expect } from 'chai';
import { BSON } from 'mongodb';
import { creativeDiskHandlers, emptyCreativeDisk, MAX_FILES } from '../../actors/creative-disk/reduce.ts';
import { MAX_CLAIMS, type NameState, nameHandlers, unreservedName } from '../../actors/name/reduce.ts';
import { emptyQuota, MAX_HOLDERS, type QuotaState, quotaHandlers } from '../../actors/quota/reduce.ts';
import {
  emptyWebhookQueue,
  laneHandlers,
  MAX_OPEN_DELIVERIES,
  type WebhookQueueState,
} from '../../actors/webhook-queue/reduce.ts';
import type { Effects } from '../../runtime/actor/define-actor.ts';
import { Rejection } from '../../runtime/actor/rejection.ts';

const CONTEXT = { id: 'x', address: 'x/x', nowMs: Date.UTC(2026, 2, 14), position: '1-0', random: () => 0 };

function megabytesOf(state: object): number {
  return BSON.calculateObjectSize(state) / 1_048_576;
}

function digestOf(number: number): string {
  return number.toString(16).padStart(64, '0');
}

function effectsOf<State>(effects: Effects<State> | Rejection): Effects<State> {
  if (effects instanceof Rejection) throw new Error('it was refused');
  return effects;
}

describe('the largest documents', () => {
  it('a quota takes 50,000 holders of the longest names, whatever an operator allows, and refuses the next', () => {
    const entries: QuotaState['entries'] = {};
    for (let number = 1; number < MAX_HOLDERS; number++) entries[digestOf(number)] = [2 ** 40, 2 ** 40, 2 ** 31];
    const before: QuotaState = { ...emptyQuota, countedAtMs: 1, entries };
    const take = (state: QuotaState, holder: string) => {
      const most = { count: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER };
      return quotaHandlers.take(state, { holder, claim: 'c', bytes: 1, most, countAgainMs: null }, CONTEXT);
    };
    const last = take(before, digestOf(0));
    expect(last.reply).to.deep.equal({ taken: true });
    const full = last.state as QuotaState;
    expect(megabytesOf(full)).to.be.below(8);
    expect(take(full, 'another').reply).to.deep.equal({ taken: false, because: 'count' });
    expect(take(full, digestOf(1)).reply, 'one that is known').to.deep.equal({ taken: true });
  });

  it('the disk of creatives knows 30,000 new files and 30,000 to be collected, and the next are for later', () => {
    const wanted: Record<string, [number, number]> = {};
    for (let number = 0; number < MAX_FILES; number++) wanted[digestOf(number)] = [CONTEXT.nowMs, 2 ** 40];
    const unreferenced = Array.from({ length: MAX_FILES + 5 }, (_, number) => digestOf(MAX_FILES + number));
    const looked = creativeDiskHandlers.looked(
      { ...emptyCreativeDisk, wanted },
      { referenced: [], unreferenced },
      CONTEXT,
    ).state;
    expect(Object.keys(looked.unreferenced)).to.have.length(MAX_FILES);
    const collecting = Object.fromEntries(unreferenced.slice(0, MAX_FILES).map((sha256) => [sha256, true as const]));
    expect(megabytesOf({ ...looked, collecting })).to.be.below(8);
    const want = (sha256: string, stored = false) =>
      creativeDiskHandlers.want(looked, { sha256, bytes: 1, stored, most: Number.MAX_SAFE_INTEGER }, CONTEXT).reply;
    expect(want('f'.repeat(64))).to.equal('full');
    expect(want(digestOf(0)), 'one that was wanted before').to.equal('kept');
    expect(want('f'.repeat(64), true), 'one that is stored').to.equal('kept');
  });

  it('a name holds 1,000 claims of one holder and refuses the next with CONFLICT', () => {
    let state: NameState = unreservedName;
    const claim = (number: number) =>
      nameHandlers.claim(state, { holder: `publisher/${digestOf(1)}`, claim: digestOf(number) }, CONTEXT);
    for (let number = 0; number < MAX_CLAIMS; number++) state = effectsOf(claim(number)).state as NameState;
    expect(megabytesOf(state)).to.be.below(0.2);
    expect(claim(MAX_CLAIMS)).to.be.instanceOf(Rejection);
    expect(claim(0)).to.not.be.instanceOf(Rejection);
  });

  it('a webhook queue holds 200 open deliveries of 10,000 characters and gives the next up at once', () => {
    let state: WebhookQueueState = emptyWebhookQueue;
    const enqueue = (number: number) => {
      const happening = {
        eventId: `e-${number}`,
        resource: `publisher/${number}`,
        type: 'publisher.verified',
        occurredAt: '2026',
      };
      const body = { ...happening, atMs: 1, accountId: 'a', data: { text: 'x'.repeat(10_000) } };
      return laneHandlers.enqueue(state, body as never, CONTEXT);
    };
    for (let number = 0; number < MAX_OPEN_DELIVERIES; number++) state = enqueue(number).state as WebhookQueueState;
    const next = enqueue(MAX_OPEN_DELIVERIES);
    expect((next.state as WebhookQueueState).open).to.have.length(MAX_OPEN_DELIVERIES);
    expect(next.sends!.map(({ type }) => type)).to.deep.equal(['open', 'give-up']);
    expect(megabytesOf(next.state!)).to.be.below(3);
  });
});
