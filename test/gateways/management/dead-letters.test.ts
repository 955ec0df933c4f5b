import { expect } from 'chai';
import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from '#actors/watermark/watermark';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { DeadLetter } from '#runtime/ports/store';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const PARKED_MS = Date.UTC(2030, 2, 4);

/** That of number 2 can be handled now. */
function letter(number: number): DeadLetter {
  const position = `${PARKED_MS}-${number}`;
  const parked = { to: 'tally/0', type: 'impression', body: { publisher: `p${number}`, dsp: 'd' } };
  const mended = { to: `${watermark.kind}/${LEDGER_WATERMARK_ID}`, type: 'raise', body: { throughMs: 7 } };
  const message = number === 2 ? mended : parked;
  return {
    id: `7:${position}`,
    partition: 7,
    position,
    to: message.to,
    type: message.type,
    payload: encodeEnvelope(message),
    reason: 'a test',
    parkedAtMs: PARKED_MS,
    replayedAtMs: null,
  };
}

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/dead-letters on ${pair}`, () => {
    let running: RunningManagement;
    let operator: ManagementClient;
    const [waiting, replayed, discarded] = [letter(1), letter(2), letter(3)] as const;
    const path = ({ id }: DeadLetter, what: string) => `/api/dead-letters/${encodeURIComponent(id)}/${what}`;

    before(async function () {
      running = await startManagement(this, pair);
      operator = (await running.newUser(running.accountId, 'operator')).api;
      await running.store.park([waiting, replayed, discarded]);
    });
    after(() => running?.close());

    it('is replayed, once', async () => {
      for (let times = 0; times < 2; times++) {
        const { status, body } = await operator.post(path(replayed, 'replay'), {});
        expect([status, body.state]).to.deep.equal([200, 'replayed']);
      }
      const { payload, ...parked } = replayed;
      const { body } = await operator.post(path(replayed, 'replay'), {});
      expect(body).to.deep.include({ letter_id: parked.id, to: 'watermark/books', type: 'raise', message: payload });
      await eventually('it to be handled', async () => {
        const [books] = await running.store.load([{ kind: watermark.kind, id: LEDGER_WATERMARK_ID }]);
        return (books?.state as WatermarkState | undefined)?.throughMs === 7;
      });
      expect(errorOf(await operator.post(path(replayed, 'discard'), { reason: 'late' }))).to.equal('409 CONFLICT');
    });

    it('is discarded finally by an operator for a reason; both are recorded', async () => {
      const first = await operator.post(path(discarded, 'discard'), { reason: ' It was sent by a test. ' });
      expect([first.status, first.body.state]).to.deep.equal([200, 'discarded']);
      expect(first.body.discarded).to.include({ reason: 'It was sent by a test.' });
      expect(first.body.discarded.by).to.match(/^\S+@\S+ \([0-9a-f-]{36}\)$/);
      expect(Date.parse(first.body.discarded.at)).to.be.above(0);
      const { api: another } = await running.newUser(running.accountId, 'operator');
      const second = await another.post(path(discarded, 'discard'), { reason: 'Another.' });
      expect(second.body, 'the first decision stands').to.deep.equal(first.body);
      expect(errorOf(await operator.post(path(discarded, 'replay'), {}))).to.equal('409 CONFLICT');
      expect((await running.store.deadLetter(discarded.id))!.replayedAtMs).to.equal(null);
    });

    it('requires a reason, and a dead letter that exists', async () => {
      expect(errorOf(await operator.post(path(waiting, 'discard'), {}))).to.equal('400 INVALID_PARAMS reason');
      for (const reason of ['', '   ', 'x'.repeat(501), 7]) {
        expect(errorOf(await operator.post(path(waiting, 'discard'), { reason }))).to.equal(
          '400 VALIDATION_ERROR reason',
        );
      }
      for (const id of ['7:1-1', 'none', '1'.repeat(400)]) {
        const none = { ...waiting, id };
        expect(errorOf(await operator.post(path(none, 'discard'), { reason: 'r' })), id).to.equal('404 NOT_FOUND');
        expect(errorOf(await operator.post(path(none, 'replay'), {})), id).to.equal('404 NOT_FOUND');
      }
      expect((await running.store.deadLetter(waiting.id))!.discarded).to.equal(undefined);
    });

    it('is listed with what became of it, page by page', async () => {
      const ids = async (query: string) => {
        const { status, body } = await operator.get(`/api/dead-letters${query}`);
        expect(status).to.equal(200);
        return [body.letters.map((one: { letter_id: string }) => one.letter_id), body.next_cursor];
      };
      expect(await ids('')).to.deep.equal([[waiting.id, replayed.id, discarded.id], null]);
      expect(await ids('?limit=2')).to.deep.equal([[waiting.id, replayed.id], replayed.id]);
      expect(await ids(`?limit=2&cursor=${replayed.id}`)).to.deep.equal([[discarded.id], null]);
      expect(await ids('?state=waiting')).to.deep.equal([[waiting.id], null]);
      expect(await ids('?state=replayed')).to.deep.equal([[replayed.id], null]);
      expect(await ids('?state=discarded&limit=1')).to.deep.equal([[discarded.id], null]);
      expect(errorOf(await operator.get('/api/dead-letters?state=lost'))).to.match(/^400 /);
    });

    it('that cannot be read can be discarded, also after an attempt to replay it', async () => {
      const unreadable: DeadLetter = { ...letter(4), to: '', type: '', payload: '{"no":"envelope"}' };
      await running.store.park([unreadable]);
      expect(errorOf(await operator.post(path(unreadable, 'replay'), {}))).to.equal('409 CONFLICT');
      const answer = await operator.post(path(unreadable, 'discard'), { reason: 'Nobody can read it.' });
      expect([answer.status, answer.body.state]).to.deep.equal([200, 'discarded']);
    });

    it('that comes from the log of counts can only be discarded', async () => {
      const { payload, ...rest } = letter(5);
      const foreign: DeadLetter = { ...rest, id: `facts-${rest.id}.3`, to: 'facts/publisher:p:2026-03-14T09', payload };
      await running.store.park([foreign]);
      const refused = await operator.post(path(foreign, 'replay'), {});
      expect(errorOf(refused)).to.equal('409 CONFLICT');
      expect((await running.store.deadLetter(foreign.id))!.replayedAtMs).to.equal(null);
      const answer = await operator.post(path(foreign, 'discard'), { reason: 'Counts of one minute.' });
      expect([answer.status, answer.body.letter_id]).to.deep.equal([200, foreign.id]);
    });
  });
