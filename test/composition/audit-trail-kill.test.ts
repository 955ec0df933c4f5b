import { expect } from 'chai';
import { DAY_MS } from '../../actors/ledger/ledger-id.ts';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { checkTrail } from '../../scheduler/audit/check-trail.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { Installation } from './installation.ts';

const ROUNDS = 3;
const CALLERS = 6;
const ROUTE = 'POST /api/supply/sources';
const OPERATOR = { email: 'op@killed.example', password: 'a long password of an operator' };

describe('the audit trail of a program that is killed', () => {
  let installation: Installation;
  before(async () => {
    installation = await Installation.make({
      BOOTSTRAP_API_KEY: 'pk_live_of-this-test',
      ADMIN_EMAIL: OPERATOR.email,
      ADMIN_PASSWORD: OPERATOR.password,
    });
  });
  after(() => installation.remove());

  interface Listed {
    readonly resource: string;
    readonly action: string;
    readonly route: string;
  }

  /** All entries, as an operator reads them. */
  async function entries(): Promise<Listed[]> {
    const { baseUrl } = installation;
    const answer = await fetch(`${baseUrl}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(OPERATOR),
    });
    expect(answer.status).to.equal(200);
    const [cookie] = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]!);
    const all: Listed[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `${baseUrl}/api/audit-trail?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
      const { body } = await callJson('GET', page, undefined, { Cookie: cookie! });
      all.push(...body.entries);
      cursor = body.next_cursor;
    }
    return all;
  }

  it('has exactly one entry of each change that was acknowledged, and of none that was not made', async () => {
    const made: string[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const run = await installation.start();
      const until = made.length + 5 * round;
      let killed = false;
      const callers = Array.from({ length: CALLERS }, async (_, caller) => {
        for (let call = 0; !killed; call++) {
          const name = `Source ${round}-${caller}-${call}`;
          const source = { name, domain: 'd.example', type: 'web' };
          const answer = await installation.call('POST', '/api/supply/sources', source).catch(() => null);
          if (answer === null) return;
          expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
          made.push(`publisher/${answer.body.id}`);
          if (made.length >= until && !killed) {
            killed = true;
            run.signal('SIGKILL');
          }
        }
      });
      await Promise.all(callers);
      await run.exited;
    }

    const run = await installation.start();
    await eventually('an entry of each', async () => {
      const told = new Set((await entries()).map(({ resource }) => resource));
      return made.every((resource) => told.has(resource));
    });
    const { body } = await installation.call('GET', '/api/supply/sources?per_page=100');
    const there = (body.publishers as { id: string; name: string }[])
      .filter(({ name }) => name.startsWith('Source '))
      .map(({ id }) => `publisher/${id}`);
    const told = (await entries()).filter(({ action, route }) => action === 'create' && route === ROUTE);
    expect(there).to.include.members(made);
    expect(told.map(({ resource }) => resource).sort()).to.deep.equal(there.sort());
    run.signal('SIGTERM');
    expect(await run.exited).to.equal(0);
    const { DATA_DIR, PARTITIONS } = installation.environment;
    const embedded = await openEmbedded({ folder: DATA_DIR!, partitions: Number(PARTITIONS), clock: systemClock });
    const nowMs = Date.now();
    const checked = await checkTrail(embedded.store, { fromMs: 0, toMs: nowMs + DAY_MS }, nowMs);
    await embedded.close();
    expect(checked.differences).to.deep.equal([]);
    expect(checked.entries).to.be.at.least(made.length);
    console.log(`      ${made.length} changes acknowledged through ${ROUNDS} kills`);
  });
});
