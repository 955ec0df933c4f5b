import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { limitsOf } from '../../actors/account/limits.ts';

/** As docs/limits.md writes a number. */
function written(name: string, value: number): string {
  if (!name.endsWith('_bytes')) return value.toLocaleString('en-US');
  const gib = 1024 ** 3;
  return value % gib === 0 ? `${value / gib} GiB` : `${value / 1024 ** 2} MiB`;
}

describe('docs/limits.md', () => {
  it('says of every limit what each tier and the sandbox have', () => {
    const rows = readFileSync('docs/limits.md', 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .split('|')
          .map((cell) => cell.trim())
          .slice(1, 6),
      );
    const each = [
      limitsOf({ tier: 'standard' }, false),
      limitsOf({ tier: 'partner' }, false),
      limitsOf({ tier: 'enterprise' }, false),
      limitsOf({ tier: 'standard' }, true),
    ];
    const names = Object.keys(each[0]!) as (keyof (typeof each)[0])[];
    const expected = names.map((name) => [`\`${name}\``, ...each.map((limits) => written(name, limits[name]))]);
    expect(rows).to.have.deep.members(expected);
  });
});
