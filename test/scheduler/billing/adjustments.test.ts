import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adjustment } from '#actors/adjustment/adjustment';
import { adjustmentId } from '#actors/adjustment/adjustment-id';
import type { AdjustmentState } from '#actors/adjustment/state';
import type { ActorDocument } from '#runtime/ports/store';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { adjustmentsOf } from '#scheduler/billing/adjustments';

const MONTH = '2026-03';
const SELLER = 'publisher-a';

function traded(dspId: string, month = MONTH): ActorDocument {
  const trade = { publisherId: SELLER, dspId, period: '2026-02' };
  const id = adjustmentId(trade);
  const none = {
    impressions: 1,
    grossNanos: '1000',
    feeNanos: '150',
    reason: 'investigation',
    note: '',
    by: 'operator',
  };
  const booked = [{ id: `${id}:1`, month, campaignId: null, ...none, bookedAtMs: Date.UTC(2026, 2, 5) }];
  const state: AdjustmentState = { ...trade, booked };
  return {
    ...{
      kind: adjustment.kind,
      id,
      partition: 0,
      schema: 1,
      version: 1,
      writer: 'w',
      position: '1-0',
      deleted: false,
      state,
    },
    ...{ outbox: [], viewPending: false, received: {}, replies: {}, published: null },
  };
}

describe('the adjustments of a month', () => {
  let folder: string;
  let embedded: Embedded;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'adjustments-'));
    embedded = await openEmbedded({ folder, partitions: 1, clock: systemClock });
  });
  afterEach(async () => {
    await embedded.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are each read once, though others are booked while they are read', async () => {
    const { store } = embedded;
    const sources = Array.from({ length: 450 }, (_, number) => `dsp-${String(number).padStart(4, '0')}`);
    await store.save(sources.map((dspId) => traded(dspId)));
    let later = 0;
    const lines = await adjustmentsOf(
      {
        async page(kind, page) {
          const found = await store.page(kind, page);
          // Of the next month: it sorts before all that was read.
          await store.save([traded(`a-later-one-${later++}`, '2026-04')]);
          return found;
        },
      },
      { scope: 'publisher', id: SELLER },
      MONTH,
    );
    expect(later).to.be.above(2);
    expect(lines.map(({ dspId }) => dspId)).to.deep.equal(sources);
  });
});
