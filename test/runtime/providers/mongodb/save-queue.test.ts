import { expect } from 'chai';
import type { StoreUnavailable } from '#runtime/ports/errors';
import { documentToRest } from '#runtime/providers/mongodb/document-at-rest';
import { type PendingSave, type SaveLimits, SaveQueue } from '#runtime/providers/mongodb/save-queue';
import { eventually } from '#test/support/eventually';
import { document } from '../../store-contract/documents.ts';

/** A command that was sent and that the test answers. */
interface Command {
  readonly ids: readonly string[];
  readonly kind: string;
  answer(): void;
}

function queueOf(given: Partial<SaveLimits>) {
  const limits = { writeBatch: 100, writeBytes: 1_000, writeConcurrency: 4, patienceMs: 60_000, ...given };
  const commands: Command[] = [];
  let underWay = 0;
  let mostUnderWay = 0;
  const queue = new SaveQueue(limits, (kind, saves) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    return new Promise((resolve) => {
      const answer = () => {
        underWay -= 1;
        for (const save of saves) save.resolve('saved');
        resolve(true);
      };
      commands.push({ kind, ids: saves.map((save) => `${save.document._id}@${save.document.version}`), answer });
    });
  });
  const add = (kind: string, id: string, version = 1, bytes = 1, askedAtMs = performance.now()): Promise<unknown> =>
    new Promise((resolve, reject: (error: StoreUnavailable) => void) => {
      const save: PendingSave = {
        document: documentToRest(document(kind, id, { version })),
        bytes,
        askedAtMs,
        resolve,
        reject,
      };
      queue.add(kind, save);
    });
  const sent = (count: number) => eventually(`${count} commands`, () => commands.length >= count);
  return { commands, add, sent, mostUnderWay: () => mostUnderWay };
}

/** Lets the queue do what it would do by itself. */
const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('the queue of saves to MongoDB', () => {
  it('sends together what was said together', async () => {
    const { add, commands, sent } = queueOf({ writeBatch: 100, writeConcurrency: 4 });
    const saves = Promise.all([add('k', 'a'), add('k', 'b'), add('other', 'a'), add('k', 'c')]);
    await sent(2);
    expect(commands.map(({ kind, ids }) => [kind, ids.join(' ')])).to.deep.equal([
      ['k', 'a@1 b@1 c@1'],
      ['other', 'a@1'],
    ]);
    for (const command of commands) command.answer();
    expect(await saves).to.deep.equal(['saved', 'saved', 'saved', 'saved']);
  });

  it('keeps to the most documents in a command and the most commands at a time', async () => {
    const { add, commands, sent, mostUnderWay } = queueOf({ writeBatch: 3, writeConcurrency: 2 });
    const ids = Array.from({ length: 20 }, (_, index) => `d${index}`);
    const saves = Promise.all(ids.map((id) => add('k', id)));
    for (let answered = 0; answered < 7; answered += 1) {
      await sent(answered + 1);
      await turn();
      commands[answered]!.answer();
    }
    await saves;
    expect(mostUnderWay()).to.equal(2);
    expect(commands.map(({ ids: sentIds }) => sentIds.length)).to.deep.equal([3, 3, 3, 3, 3, 3, 2]);
    expect(commands.flatMap(({ ids: sentIds }) => sentIds)).to.deep.equal(ids.map((id) => `${id}@1`));
  });

  it('has one document in one command at a time, each version after the one before', async () => {
    const { add, commands, sent } = queueOf({ writeBatch: 10, writeConcurrency: 4 });
    const saves = Promise.all([add('k', 'a', 1), add('k', 'a', 2), add('k', 'b', 1), add('k', 'a', 3)]);
    await sent(1);
    await turn();
    expect(commands.map(({ ids }) => ids)).to.deep.equal([['a@1', 'b@1']]);
    commands[0]!.answer();
    await sent(2);
    await turn();
    expect(commands.slice(1).map(({ ids }) => ids)).to.deep.equal([['a@2']]);
    commands[1]!.answer();
    await sent(3);
    expect(commands[2]!.ids).to.deep.equal(['a@3']);
    commands[2]!.answer();
    await saves;
  });

  it('gives every kind its turn', async () => {
    const { add, commands, sent } = queueOf({ writeBatch: 1, writeConcurrency: 1 });
    const saves = Promise.all([add('k', 'a'), add('k', 'b'), add('k', 'c'), add('other', 'a')]);
    for (let answered = 0; answered < 4; answered += 1) {
      await sent(answered + 1);
      commands[answered]!.answer();
    }
    await saves;
    expect(commands.map(({ kind }) => kind).join(' ')).to.equal('k other k k');
  });

  it('cuts commands by bytes, and sends a document that is larger than that alone', async () => {
    const { add, commands, sent } = queueOf({ writeBytes: 100 });
    const sizes = { a: 60, b: 60, c: 10, d: 500, e: 1 };
    const saves = Promise.all(Object.entries(sizes).map(([id, bytes]) => add('k', id, 1, bytes)));
    await sent(3);
    expect(commands.map(({ ids }) => ids.join(' '))).to.deep.equal(['a@1 b@1', 'c@1 d@1', 'e@1']);
    for (const command of commands) command.answer();
    await saves;
  });

  it('sends what has waited for answers that came, and not what has waited for none', async () => {
    const { add, commands, sent } = queueOf({ writeBatch: 1, writeConcurrency: 1 });
    const longAgo = performance.now() - 60_000;
    const first = add('k', 'a', 1, 1, longAgo).catch((error: Error) => error.name);
    const second = add('k', 'b');
    await sent(1);
    const third = add('k', 'c', 1, 1, longAgo);
    commands[0]!.answer();
    await sent(2);
    commands[1]!.answer();
    expect(await Promise.all([first, second, third])).to.deep.equal(['StoreUnavailable', 'saved', 'saved']);
    expect(commands.map(({ ids }) => ids.join())).to.deep.equal(['b@1', 'c@1']);
  });
});
