import { expect } from 'chai';
import type { LogMessage } from '#runtime/node/bundle';
import { UnsavedMessages } from '#runtime/node/unsaved-messages';

const TEXTS = ['{"to":"a/b","body":{}}', '', ' 1 2 ', '"ä€😀"', JSON.stringify({ lines: 'one\ntwo', nul: '\0' })];

const message = (n: number, payload = TEXTS[n % TEXTS.length]!): LogMessage => ({
  position: `179606389936${n % 10}-${n}`,
  index: n % 64,
  payload,
});

describe('the messages of an actor that are not saved yet', () => {
  for (const count of [0, 1, 16, 17, 18, 1_000]) {
    it(`are given back as they came and in their order: ${count}`, () => {
      const unsaved = new UnsavedMessages();
      // The second and third time in what the first has left.
      for (let times = 0; times < 3; times++) {
        const messages = Array.from({ length: count }, (_, n) => message(n + times));
        for (const one of messages) unsaved.add(one);
        expect(unsaved.all()).to.deep.equal(messages);
        expect(unsaved.characters).to.equal(messages.reduce((sum, { payload }) => sum + payload.length, 0));
        unsaved.clear();
        expect(unsaved.all()).to.deep.equal([]);
        expect(unsaved.characters).to.equal(0);
      }
    });
  }

  it('may be as long as a save allows', () => {
    const unsaved = new UnsavedMessages();
    const messages = Array.from({ length: 40 }, (_, n) => message(n, '€'.repeat(50_000 + n)));
    for (const one of messages) unsaved.add(one);
    expect(unsaved.all()).to.deep.equal(messages);
    unsaved.clear();
    unsaved.add(messages[0]!);
    expect(unsaved.all()).to.deep.equal([messages[0]]);
  });
});
