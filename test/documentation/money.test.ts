import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { wholeCentsOf } from '../../exchange/money/cents.ts';
import { feeNanos, feePpmOf } from '../../exchange/money/fee.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { cpmMicros } from '../../exchange/money/price.ts';

describe('docs/money.md', () => {
  it('computes its example as the books do', () => {
    const rows = readFileSync('docs/money.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').map((cell) => cell.trim()));
    const stated = (step: string) => Number(rows.find(([, name]) => name === step)![2]!.replaceAll(',', ''));
    const micros = cpmMicros(stated('the bid'));
    const gross = nanosPerImpression(micros);
    const fee = feeNanos(micros, feePpmOf(15));
    const cents = (nanos: number) => wholeCentsOf(BigInt(nanos) * 1_000n);
    expect({
      read: stated('read as'),
      gross: stated('gross, of one impression'),
      fee: stated('fee, of one impression'),
      net: stated('net, of one impression'),
      grossCents: stated('gross, of 1,000 of them'),
      netCents: stated('net, of 1,000 of them'),
      feeCents: stated('fee, on the statement'),
    }).to.deep.equal({
      read: micros,
      gross,
      fee,
      net: gross - fee,
      grossCents: cents(gross),
      netCents: cents(gross - fee),
      feeCents: cents(gross) - cents(gross - fee),
    });
  });
});
