import { expect } from 'chai';
import { encodeEnvelope } from '#runtime/node/envelope';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import type { ActorDocument, DeadLetter } from '#runtime/ports/store';
import { staleSums } from '#runtime/simulator/checkers/totals';
import { StoreServer, toStored } from '#runtime/simulator/store-server';

const COUNTER: ActorDocument = {
  kind: 'counter',
  id: 'c7',
  partition: 0,
  version: 1,
  writer: 'writer',
  position: '200-0',
  schema: 1,
  deleted: false,
  state: { count: 43, changedAt: '200-0', history: [] },
  outbox: [],
  viewPending: false,
  received: {},
  replies: {},
  published: '200-0',
};
const STALE = ['counter/c7 counts 43; its sum has undefined'];

/** A dead letter of the counter's total as of `version`. */
function parkedTotal(reason: string, version = '200-0'): DeadLetter {
  const body = { counter: 'c7', count: 43, version };
  return {
    id: '1:300-0',
    partition: 1,
    position: '300-0',
    to: 'sum/s1',
    type: 'total',
    payload: encodeEnvelope({ to: 'sum/s1', type: 'total', body }),
    reason,
    parkedAtMs: 0,
    replayedAtMs: null,
  };
}

function storeWith(letter: DeadLetter): StoreServer {
  const store = new StoreServer(NO_BROKEN_LAWS);
  store.save(toStored(COUNTER)!);
  store.park([letter]);
  return store;
}

describe("the check of a counter's sum", () => {
  const SUSPECTED = '3 processes ended while handling it';

  it('waits for no total that was parked as a suspect, until it is replayed', () => {
    const store = storeWith(parkedTotal(SUSPECTED));
    expect(staleSums(store)).to.deep.equal([]);
    store.markReplayed('1:300-0', 1);
    expect(staleSums(store)).to.deep.equal(STALE);
  });

  it('waits for a total that is newer than the parked one, and for one that was parked for another reason', () => {
    expect(staleSums(storeWith(parkedTotal(SUSPECTED, '100-0')))).to.deep.equal(STALE);
    expect(staleSums(storeWith(parkedTotal('what it makes of the state can never be stored')))).to.deep.equal(STALE);
  });
});
