import { expect } from 'chai';
import { hourLedgerId, ledgerId } from '#actors/ledger/ledger-id';
import type { LedgerState } from '#actors/ledger/state';
import { encodeEnvelope } from '#runtime/node/envelope';
import { auditBooks } from '#scheduler/audit/audit-books';
import { printAudit } from '#scheduler/audit/print-audit';
import { auditing, checksOf } from './auditing.ts';
import { books, DAY_MS, documentOf, MARCH, ofPublisher } from './books.ts';

describe('scheduler/audit of messages that were discarded', () => {
  const at = auditing();
  const { audited } = at;

  const discarded = { atMs: DAY_MS, by: 'o@exchange.example', why: 'sent by a broken edge' };
  const decision = (id: string) =>
    `dead letter ${id} was discarded on ${new Date(DAY_MS).toISOString()} by o@exchange.example: sent by a broken edge`;

  async function discard(to: string, type: string, body: object, sequence = 0): Promise<string> {
    const position = `${DAY_MS}-${sequence}`;
    const id = `0:${position}`;
    const payload = encodeEnvelope({ to, type, body });
    await at.store.park([
      { id, partition: 0, position, to, type, payload, reason: 'test', parkedAtMs: DAY_MS, replayedAtMs: null },
    ]);
    await at.store.markDiscarded(id, discarded);
    return id;
  }

  it('names an impression, and that an operator has accepted it', async () => {
    const id = await discard('tally/0', 'impression', {
      publisher: 'publisher-a',
      dsp: 'dsp-x',
      priceCpmMicros: 2_500,
    });
    const audit = await audited();
    expect(audit.differences).to.deep.equal([]);
    expect(audit.accepted).to.deep.equal([
      {
        check: 'nothing is discarded',
        where: '2026-03',
        expected: 'in the books',
        found: 'an impression, gross 2500',
        accepted: decision(id),
      },
    ]);
    const printed = printAudit(audit);
    expect(printed).to.contain(decision(id));
    expect(printed).to.match(/The books balance, but for 1 differences that were accepted: /);
  });

  it('names each kind of message as what it is', async () => {
    const page = { fra: { impressions: 1, grossNanos: 7, feeNanos: 0 } };
    const hourOf = hourLedgerId('publisher', 'publisher-a', DAY_MS + 13 * 3_600_000, false);
    const dayOf = ledgerId('publisher', 'publisher-a', DAY_MS, false);
    await discard('tally/0', 'invalid', { publisher: 'publisher-a', dsp: 'dsp-x', priceCpmMicros: 2_500 }, 1);
    await discard(`ledger/${hourOf}`, 'totals', { regions: [{ region: 'fra', grossNanos: 5 }] }, 2);
    await discard(`ledger/${dayOf}`, 'hour', { hour: 13, page }, 3);
    await discard(`ledger/${hourOf}`, 'close', {}, 4);
    const { accepted } = await audited();
    const named = accepted.filter(({ check }) => check === 'nothing is discarded').map(({ found }) => found);
    expect(named).to.have.members([
      'an invalid impression, gross 0',
      'totals of publisher publisher-a, gross 5',
      'hour 13 of publisher publisher-a, gross 7',
      'the end of hour 13 of publisher publisher-a, gross 0',
    ]);
  });

  it('accepts what a ledger lacks for it, and no more than that', async () => {
    // The other side has one nano-dollar more than this ledger: of three more, two were not decided.
    const lack = (nanos: number) => (state: LedgerState) => {
      for (const page of Object.values(state.hours)) {
        for (const region of Object.values(page)) {
          const [row] = Object.values(region.counterparties);
          if (region.impressions === 0 || row === undefined || nanos === 0) continue;
          region.grossNanos -= nanos;
          row.grossNanos -= nanos;
          nanos = 0;
        }
      }
    };
    const before = (await audited(`ledger/${ofPublisher}`, lack(1))).differences;
    const sides = before.filter(({ check }) => ['publishers make the platform', 'sold is bought'].includes(check));
    expect(sides).to.have.length(2);
    const id = await discard(`ledger/${ofPublisher}`, 'totals', {
      regions: [{ region: 'fra', impressions: 1, grossNanos: 1, feeNanos: 0, counterparties: [], creatives: [] }],
    });
    const { differences, accepted } = await auditBooks(at.store, MARCH);
    expect(differences).to.deep.equal(before.filter((one) => !sides.includes(one)));
    expect(accepted.map(({ check }) => check)).to.deep.equal([
      'nothing is discarded',
      ...sides.map(({ check }) => check),
    ]);
    for (const one of accepted) expect(one.accepted).to.equal(decision(id));
    const spoilt = documentOf('ledger', ofPublisher, structuredClone(books().get(`ledger/${ofPublisher}`)!.state));
    lack(3)(spoilt.state as LedgerState);
    await at.store.save([{ ...spoilt, version: 2 }]);
    expect(checksOf(await auditBooks(at.store, MARCH))).to.include.members(sides.map(({ check }) => check));
  });
});
