import { expect } from 'chai';
import { Registry } from 'prom-client';
import { type Operations, type OperationsOptions, openOperations } from '../../../gateways/operations/operations.ts';
import type { DeadLetter } from '../../../runtime/ports/store.ts';
import { callJson } from '../../support/exchange.ts';

function letter(number: number): DeadLetter {
  return {
    id: `0:1-${number}`,
    partition: 0,
    position: `1-${number}`,
    to: 'counter/a',
    type: 'add',
    payload: '[]',
    reason: 'because',
    parkedAtMs: 1,
    replayedAtMs: null,
  };
}

describe('the operations port', () => {
  let missing: readonly string[] | Error;
  let letters: DeadLetter[] | Error;
  let replayed: string[];
  let operations: Operations;

  beforeEach(async () => {
    missing = [];
    letters = [];
    replayed = [];
    const options: OperationsOptions = {
      registry: new Registry(),
      async unready() {
        if (missing instanceof Error) throw missing;
        return missing;
      },
      deadLetters: {
        async list({ limit, after }) {
          if (letters instanceof Error) throw letters;
          return letters.filter(({ id }) => after === undefined || id > after).slice(0, limit);
        },
        async replay(id) {
          if (letters instanceof Error) throw letters;
          replayed.push(id);
          const found = letters.find((one) => one.id === id);
          return found === undefined ? 'absent' : found.discarded === undefined ? 'replayed' : 'discarded';
        },
      },
      host: '127.0.0.1',
    };
    operations = await openOperations(0, options);
  });
  afterEach(() => operations.close());
  const call = (method: string, path: string) => callJson(method, `http://127.0.0.1:${operations.port}${path}`);

  it('answers 503 with the names of what is missing, and is alive all the same', async () => {
    missing = ['log', 'catalogue'];
    const { status, body } = await call('GET', '/readyz');
    expect([status, body]).to.deep.equal([503, { status: 'unready', missing }]);
    expect((await call('GET', '/livez')).status).to.equal(200);
    missing = [];
    expect((await call('GET', '/readyz')).status).to.equal(200);
  });

  it('is not ready when nobody can tell', async () => {
    missing = new Error('the log does not answer');
    const { status, body } = await call('GET', '/readyz');
    expect([status, body.missing]).to.deep.equal([503, ['Error: the log does not answer']]);
  });

  it('pages through dead letters to the end', async () => {
    letters = [letter(1), letter(2), letter(3)];
    const first = await call('GET', '/dead-letters?limit=2');
    expect(first.body).to.deep.equal({ letters: letters.slice(0, 2), next: letters[1]!.id });
    const second = await call('GET', `/dead-letters?limit=2&after=${encodeURIComponent(first.body.next)}`);
    expect(second.body).to.deep.equal({ letters: letters.slice(2), next: null });
  });

  it('refuses a limit that is none', async () => {
    for (const limit of ['0', '201', '1.5', 'all', '-1']) {
      const { status, body } = await call('GET', `/dead-letters?limit=${limit}`);
      expect(status, limit).to.equal(400);
      expect(body.status).to.contain('from 1 to 200');
    }
  });

  it('sends a letter again by its id, and knows when there is none', async () => {
    const discarded = { ...letter(2), discarded: { atMs: 1, by: 'an operator', why: 'a reason' } };
    letters = [letter(1), discarded];
    const gone = await call('POST', `/dead-letters/${encodeURIComponent(discarded.id)}/replay`);
    expect([gone.status, gone.body]).to.deep.equal([409, { status: 'it was discarded' }]);
    replayed = [];
    const found = await call('POST', `/dead-letters/${encodeURIComponent(letters[0]!.id)}/replay`);
    const unknown = await call('POST', '/dead-letters/0%3A9-9/replay');
    expect([found.status, unknown.status]).to.deep.equal([202, 404]);
    expect(replayed).to.deep.equal(['0:1-1', '0:9-9']);
  });

  it('answers 503 when the store is away', async () => {
    letters = new Error('the store is away');
    for (const [method, path] of [
      ['GET', '/dead-letters'],
      ['POST', '/dead-letters/0:1-1/replay'],
    ] as const) {
      const { status, body } = await call(method, path);
      expect([status, body.status]).to.deep.equal([503, 'Error: the store is away']);
    }
  });

  it('has nothing else', async () => {
    expect((await call('GET', '/')).status).to.equal(404);
    expect((await call('POST', '/livez')).status).to.equal(405);
    expect((await call('GET', '/dead-letters/0:1-1/replay')).status).to.equal(405);
  });

  it('closes though a connection is kept alive', async () => {
    await call('GET', '/livez');
    await operations.close();
    const refused = await fetch(`http://127.0.0.1:${operations.port}/livez`).catch((error) => error.cause.code);
    expect(refused).to.equal('ECONNREFUSED');
  });
});
