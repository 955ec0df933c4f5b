import { expect } from 'chai';
import fc from 'fast-check';
import { TrackingMint } from '#edge/tracking/mint';
import { readMinted } from '#edge/tracking/minted-query';
import type { Sale } from '#edge/tracking/sale';
import { TrackingVerifier } from '#edge/tracking/verify';

const SECRET = 'the secret of this exchange';
const mint = new TrackingMint({ secretKey: SECRET, publicEdgeUrl: 'https://edge.test' });
const verifier = new TrackingVerifier({ secretKey: SECRET });

const SALE: Sale = {
  auctionId: 'auction-1',
  publisherId: '0c8b6b7e-58a9-4c1b-8a8c-000000000001',
  partnerId: 'partner-1',
  dspId: '0c8b6b7e-58a9-4c1b-8a8c-000000000002',
  campaignId: 'campaign-1',
  capped: { deviceKey: 'device.1/&', windowHours: 24 },
  crid: 'crid/1 & more',
  priceCpmMicros: 2_500_000,
  region: 'fra',
  sandbox: true,
  audio: true,
  issuedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  billingNoticeUrl: 'https://dsp.test/burl?price=2.5&x=1',
};

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const audio = fc.constantFrom({}, { audio: true as const });

const aSaleOfAny: fc.Arbitrary<Sale> = fc.record({
  auctionId: text,
  publisherId: text,
  partnerId: fc.option(text),
  dspId: text,
  campaignId: fc.option(text),
  capped: fc.option(fc.record({ deviceKey: text, windowHours: fc.integer({ min: 1, max: 720 }) })),
  crid: text,
  priceCpmMicros: fc.nat(10_000_000_000),
  region: fc.constantFrom('fra', 'nyc', 'lon'),
  sandbox: fc.boolean(),
  issuedAtMs: fc.nat(4_000_000_000_000),
  billingNoticeUrl: fc.option(fc.webUrl({ withQueryParameters: true })),
});

const anySale = fc.tuple(aSaleOfAny, audio).map(([sale, heard]): Sale => ({ ...sale, ...heard }));

function queryOf(url: string): string {
  return url.slice(url.indexOf('?') + 1);
}

/** What a URL says of a sale: all but its notice, which is told apart. */
function readable({ billingNoticeUrl: _, ...sale }: Sale): Omit<Sale, 'billingNoticeUrl'> {
  return sale;
}

/** A verification as plain data. */
function plain(verification: ReturnType<typeof verifier.verify>): unknown {
  return JSON.parse(JSON.stringify(verification));
}

/** The outcome of a URL whose parameters `change` has had its way with. */
function changed(change: (parameters: URLSearchParams) => void): string {
  const parameters = new URLSearchParams(queryOf(mint.mintTracking(SALE).url));
  change(parameters);
  const verification = verifier.verify('impression', parameters.toString());
  return verification.ok ? 'valid' : verification.reason;
}

describe('the win that a tracking URL names', () => {
  const winNoticeUrl = 'https://dsp.test/nurl?p=2.5&x=%26';
  const query = queryOf(mint.mintTracking({ ...SALE, winNoticeUrl }).url);

  it('is read again, and is that of its own sale alone', () => {
    expect(verifier.verify('impression', query)).to.include({ ok: true, winNoticeUrl });
    const other = new URLSearchParams(queryOf(mint.mintTracking({ ...SALE, winNoticeUrl }).url));
    for (const [name, value] of [
      ['won', 'https://dsp.test/other'],
      ['wonmac', other.get('wonmac')!],
      ['wonmac', ''],
    ] as const) {
      const parameters = new URLSearchParams(query);
      parameters.set(name, value);
      expect(verifier.verify('impression', parameters.toString()).ok, name).to.equal(false);
    }
    const unsigned = new URLSearchParams(query);
    unsigned.delete('wonmac');
    expect(verifier.verify('impression', unsigned.toString()).ok).to.equal(false);
    expect(verifier.verify('impression', `${query}&won=x`).ok).to.equal(false);
  });

  it('keeps no viewability from being reported, however long it is', () => {
    const long = `https://dsp.test/${'x'.repeat(1_900)}`;
    const { viewUrl, url } = mint.mintTracking({ ...SALE, winNoticeUrl: long });
    expect(verifier.verify('impression', queryOf(url))).to.include({ ok: true, winNoticeUrl: long });
    expect(verifier.verify('impression', queryOf(viewUrl!('viewable')))).to.include({ ok: true, winNoticeUrl: null });
  });
});

describe('the tracking URL', () => {
  it('carries the parameters of the specification', () => {
    const { url } = mint.mintTracking(SALE);
    const { origin, pathname, searchParams } = new URL(url);
    expect(`${origin}${pathname}`).to.equal('https://edge.test/track/impression');
    expect(searchParams.get('id')).to.equal('auction-1');
    expect(searchParams.get('pub')).to.equal(SALE.publisherId);
    expect(searchParams.get('partner')).to.equal('partner-1');
    expect(searchParams.get('dsp')).to.equal(SALE.dspId);
    expect(searchParams.get('price')).to.equal('2500000');
  });

  it('says again what was sold, whatever that was', () => {
    fc.assert(
      fc.property(anySale, (sale) => {
        const { url, trackingId } = mint.mintTracking(sale);
        const verification = verifier.verify('impression', queryOf(url));
        const { billingNoticeUrl, ...sold } = sale;
        expect(verification).to.deep.include({ ok: true, trackingId, sale: sold, noticeUrl: billingNoticeUrl });
      }),
    );
  });

  it('survives half a surrogate pair in what the bidder sent', () => {
    const { url } = mint.mintTracking({ ...SALE, crid: 'cut\ud83d' });
    const verification = verifier.verify('impression', queryOf(url));
    expect(verification.ok && verification.sale.crid).to.equal('cut\ufffd');
  });

  it('names no device to those who read it, and none alike twice', () => {
    const urls = [mint.mintTracking(SALE).url, mint.mintTracking(SALE).url];
    const [first, second] = urls.map((url) => new URL(url).searchParams.get('cap'));
    expect(first).not.to.equal(second);
    for (const url of urls) expect(decodeURIComponent(url)).not.to.include('device.1');
  });

  it('was signed without a cap before there were any, and is valid still', () => {
    const sold =
      'id=auction-1&pub=publisher-1&dsp=dsp-1&price=2500000&campaign=campaign-1&crid=crid-1&region=fra&t=mjwlvlm0';
    const verification = verifier.verify('impression', `${sold}.${'A'.repeat(22)}.2ZG3BM-HUPotCrBGGDojjX`);
    expect(verification.ok && verification.sale).to.include({ campaignId: 'campaign-1', capped: null });
  });

  it('holds no parameter that another could be read as', () => {
    expect(
      changed((parameters) => {
        parameters.set('cap', `${parameters.get('cap')}&crid=${encodeURIComponent(SALE.crid)}`);
        parameters.delete('crid');
      }),
    ).to.equal('altered');
  });

  it('has a new id each time', () => {
    const ids = new Set(Array.from({ length: 1_000 }, () => mint.mintTracking(SALE).trackingId));
    expect(ids.size).to.equal(1_000);
    for (const id of ids) expect(id).to.match(/^[\w-]{22}$/);
  });

  it('stays valid when a client reorders, re-encodes or adds to it', () => {
    expect(changed((parameters) => parameters.sort())).to.equal('valid');
    expect(changed((parameters) => parameters.append('cachebuster', '17'))).to.equal('valid');
  });

  for (const [name, value] of Object.entries({
    id: 'auction-2',
    pub: 'other',
    partner: 'other',
    dsp: 'other',
    price: '9900000',
    campaign: 'other',
    cap: 'other',
    crid: 'other',
    region: 'nyc',
    sandbox: 'false',
    audio: 'false',
    notice: 'https://elsewhere.test/',
  })) {
    it(`is altered when ${name} is another, is missing or comes twice`, () => {
      expect(changed((parameters) => parameters.set(name, value))).to.equal('altered');
      expect(changed((parameters) => parameters.delete(name))).to.equal('altered');
      expect(changed((parameters) => parameters.append(name, parameters.get(name)!))).to.equal('altered');
    });
  }

  it('is read as it was minted as it is in any other form', () => {
    const any = fc.record({
      sale: anySale,
      winNoticeUrl: fc.option(fc.webUrl({ withQueryParameters: true })),
      trace: fc.constantFrom(undefined, `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`),
      isTest: fc.boolean(),
    });
    fc.assert(
      fc.property(any, ({ sale, winNoticeUrl, trace, isTest }) => {
        const sold = { ...sale, ...(winNoticeUrl && { winNoticeUrl }), ...(isTest && { test: true as const }) };
        const { url, billingUrl } = mint.mintTracking(sold, undefined, undefined, trace);
        for (const query of [queryOf(url), queryOf(billingUrl)]) {
          const minted = readMinted(query);
          expect(minted !== null && query.startsWith(`${minted.signed}.${minted.mac}`), query).to.equal(true);
          const asMinted = verifier.verify('impression', query);
          expect(asMinted.ok).to.equal(true);
          expect(plain(asMinted)).to.deep.equal(plain(verifier.verify('impression', `${query}&another=parameter`)));
        }
      }),
    );
  });

  it('is judged alike in every form when any of its characters is another, or missing, or there twice', () => {
    const sold = { ...SALE, winNoticeUrl: 'https://dsp.test/nurl?p=2.5&x=%26' };
    const { url, billingUrl } = mint.mintTracking(
      sold,
      undefined,
      undefined,
      `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    );
    let altered = 0;
    for (const query of [queryOf(url), queryOf(billingUrl)]) {
      for (let at = 0; at < query.length; at++) {
        const [before, character, after] = [query.slice(0, at), query[at]!, query.slice(at + 1)];
        for (const other of ['', 'A', '%', '&', '=', '+', '.', '\u0141', character + character]) {
          const changed = before + other + after;
          const verification = verifier.verify('impression', changed);
          const inAnyForm = verifier.verify('impression', `another=parameter&${changed}`);
          expect(plain(verification), changed).to.deep.equal(plain(inAnyForm));
          if (!verification.ok) altered += 1;
        }
      }
    }
    expect(altered).to.be.above(5_000);
  });

  it('is altered when any character of its token is another', () => {
    const token = new URLSearchParams(queryOf(mint.mintTracking(SALE).url)).get('t')!;
    for (let index = 0; index < token.length; index++) {
      if (token[index] === '.') continue;
      const other = token[index] === 'a' ? 'b' : 'a';
      const verification = changed((parameters) => {
        const own = parameters.get('t')!;
        parameters.set('t', own.slice(0, index) + (own[index] === other ? 'c' : other) + own.slice(index + 1));
      });
      expect(verification, `character ${index}`).to.equal('altered');
    }
  });

  it('is not another price under a leading zero or an exponent', () => {
    for (const price of ['02500000', '2.5e6', '2500000.0', '-2500000', '']) {
      expect(
        changed((parameters) => parameters.set('price', price)),
        price,
      ).to.equal('altered');
    }
  });

  it('is forged without a token, or with one that is none', () => {
    expect(changed((parameters) => parameters.delete('t'))).to.equal('forged');
    for (const token of ['', 'x', 'a.b.c', `${'z'.repeat(11)}.${'a'.repeat(22)}.${'é'.repeat(22)}`]) {
      expect(
        changed((parameters) => parameters.set('t', token)),
        token,
      ).to.equal('forged');
    }
    expect(verifier.verify('impression', '')).to.deep.equal({ ok: false, reason: 'forged' });
  });

  it('is worth nothing to an exchange with another secret', () => {
    const stranger = new TrackingVerifier({ secretKey: 'another secret' });
    expect(stranger.verify('impression', queryOf(mint.mintTracking(SALE).url))).to.deep.equal({
      ok: false,
      reason: 'altered',
    });
  });

  it('of a win is no impression, and the other way round', () => {
    const { url, trackingId } = mint.mintTracking(SALE);
    const winUrl = mint.mintWin(SALE, trackingId, 'https://dsp.test/nurl');
    expect(new URL(winUrl).pathname).to.equal('/track/win');
    const win = verifier.verify('win', queryOf(winUrl));
    expect(win.ok && [win.trackingId, win.noticeUrl]).to.deep.equal([trackingId, 'https://dsp.test/nurl']);
    expect(verifier.verify('impression', queryOf(winUrl)).ok).to.equal(false);
    expect(verifier.verify('win', queryOf(url)).ok).to.equal(false);
  });

  describe('of a win without a win notice', () => {
    const QUIET: Sale = { ...SALE, capped: null, billingNoticeUrl: null };

    it('comes with that of its impression, and says the same as when it is made by itself', () => {
      const { trackingId, quietWinUrl } = mint.mintTracking(QUIET);
      for (const url of [quietWinUrl!, mint.mintWin(QUIET, trackingId, null)]) {
        const win = verifier.verify('win', queryOf(url));
        expect(win).to.deep.include({ ok: true, trackingId, sale: readable(QUIET), noticeUrl: null });
      }
    });

    it('is no impression, and its impression is no win', () => {
      const { url, quietWinUrl } = mint.mintTracking(QUIET);
      expect(queryOf(url).slice(0, -22)).to.equal(queryOf(quietWinUrl!).slice(0, -22));
      expect(verifier.verify('impression', queryOf(quietWinUrl!)).ok).to.equal(false);
      expect(verifier.verify('win', queryOf(url)).ok).to.equal(false);
    });

    it('cannot be given a notice by a third party, and change nothing else', () => {
      const { quietWinUrl } = mint.mintTracking(QUIET);
      for (const [name, value] of [
        ['notice', 'https://victim.test/'],
        ['price', '1'],
        ['dsp', 'another'],
      ] as const) {
        const parameters = new URLSearchParams(queryOf(quietWinUrl!));
        parameters.set(name, value);
        expect(verifier.verify('win', parameters.toString())).to.deep.equal({ ok: false, reason: 'altered' });
      }
    });

    it('is made by itself where its impression says more', () => {
      for (const sale of [
        { ...QUIET, billingNoticeUrl: SALE.billingNoticeUrl },
        { ...QUIET, capped: SALE.capped },
      ]) {
        const { trackingId, quietWinUrl } = mint.mintTracking(sale);
        expect(quietWinUrl).to.equal(null);
        const win = verifier.verify('win', queryOf(mint.mintWin(sale, trackingId, null)));
        expect(win).to.deep.include({ ok: true, trackingId, sale: readable(QUIET), noticeUrl: null });
      }
    });
  });
});
