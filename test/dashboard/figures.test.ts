import { expect } from 'chai';
import { build } from 'esbuild';

/** A module of the dashboard that needs no page. The compiler of tests does not know the dashboard's sources. */
async function moduleOf<T>(path: string): Promise<T> {
  const { outputFiles } = await build({
    entryPoints: [`dashboard/${path}`],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0]!.text)}`);
}

type Format = Record<'formatCents' | 'formatCentsShort', (cents: number) => string>;

interface Funnel {
  readonly from: string;
  readonly requests: number;
}

interface Change {
  changeOnYesterday(today: Funnel, yesterday: Funnel, at: string): number | null;
}

describe('figures of the dashboard', () => {
  it('have the digits of an amount and no others, from a nano-dollar to millions', async () => {
    const { formatCents, formatCentsShort } = await moduleOf<Format>('kit/format.ts');
    for (const [cents, text] of [
      [638_185_403.348, '$6,381,854.03348'],
      [393_378_908.284_807_7, '$3,933,789.082848077'],
      [1e-7, '$0.000000001'],
      [-0.234_567_8, '−$0.002345678'],
      [0, '$0.00'],
      [5_400, '$54.00'],
    ] as const)
      expect(formatCents(cents)).to.equal(text);
    expect(formatCentsShort(638_185_403.348)).to.equal('≈ $6,381,854.03');
    expect(formatCentsShort(0.000_04)).to.equal('$0.0000004');
  });

  it('compare the hour under way with as large a part of the same hour of yesterday', async () => {
    const { changeOnYesterday } = await moduleOf<Change>('pages/home/change-on-yesterday.ts');
    const from = '2026-03-14T00:00:00.000Z';
    const changes = [
      [100, 600, '2026-03-14T00:10:00.000Z'],
      [750, 1_200, '2026-03-14T01:15:00.000Z'],
      [1_200, 1_200, '2026-03-14T02:00:00.000Z'],
      [900, 1_200, '2026-03-14T01:30:00.000Z'],
      [450, 1_200, '2026-03-14T01:30:00.000Z'],
      [450, 0, '2026-03-14T01:30:00.000Z'],
      [0, 600, from],
    ].map(([now, before, at]) =>
      changeOnYesterday({ from, requests: now as number }, { from, requests: before as number }, at as string),
    );
    expect(changes).to.deep.equal([0, 0, 0, 0, -0.5, null, null]);
  });
});
