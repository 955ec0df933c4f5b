import { expect } from 'chai';
import { readAtWatermark } from '#actors/watermark/read-watermark';
import { type WatermarkState, watermark } from '#actors/watermark/watermark';
import { tokenOf } from '#runtime/ports/store-token';

const [OLDER, NEWER] = [tokenOf(9n, 'a'), tokenOf(10n, 'b')];

function raised(state: WatermarkState, throughMs: number, token?: string): WatermarkState {
  const body = token === undefined ? { throughMs } : { throughMs, token };
  const effects = watermark.handle(state, { type: 'raise', body }, {} as never) as { state?: WatermarkState };
  return effects.state ?? state;
}

describe('the watermark of the ledgers', () => {
  it('carries the newest token of all that raised it', () => {
    const first = raised({ throughMs: 0 }, 100, NEWER);
    expect(first).to.deep.equal({ throughMs: 100, token: NEWER });
    expect(raised(first, 200, OLDER)).to.deep.equal({ throughMs: 200, token: NEWER });
    // A process of an older release tells none.
    expect(raised(first, 200)).to.deep.equal({ throughMs: 200, token: NEWER });
    expect(raised(first, 50, tokenOf(11n, 'c'))).to.equal(first);
  });

  it('has no token where the store has none, and shows none', () => {
    expect(raised({ throughMs: 0 }, 100, '')).to.deep.equal({ throughMs: 100 });
    expect(watermark.projection?.({ throughMs: 100, token: NEWER }, 'books')).to.deep.equal({ throughMs: 100 });
  });

  it('is read with what is to be read after it', async () => {
    const store = (state: unknown) => ({
      load: async () => [state === null ? null : { state }],
      after: (token: string) => `reads after ${token}`,
    });
    expect(await readAtWatermark(store({ throughMs: 5, token: NEWER }))).to.deep.equal({
      throughMs: 5,
      store: `reads after ${NEWER}`,
    });
    expect(await readAtWatermark(store({ throughMs: 5 }))).to.deep.equal({ throughMs: 5, store: 'reads after ' });
    expect(await readAtWatermark(store(null))).to.deep.equal({ throughMs: 0, store: 'reads after ' });
  });
});
