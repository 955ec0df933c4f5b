import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { CreativeFetcher } from '#gateways/creatives/fetch/creative-fetcher';
import { CreativeRefused, FetchFailed } from '#gateways/creatives/fetch/failures';
import { readBytes } from '#gateways/creatives/fetch/read-bytes';
import { RedirectTrail } from '#gateways/creatives/fetch/redirect-trail';
import { xmlText } from '#gateways/creatives/fetch/xml-text';
import { type CreativeSettings, DEFAULT_CREATIVE_SETTINGS } from '#gateways/creatives/settings';
import { type CreativeOrigin, redirect, startCreativeOrigin } from '#test/support/creative-origin';

const open: CreativeSettings = { ...DEFAULT_CREATIVE_SETTINGS, allowPrivateNetworks: true, httpsOnly: false };

describe('gateways/creatives/fetch', () => {
  let origin: CreativeOrigin;
  before(async () => {
    origin = await startCreativeOrigin();
  });
  after(() => origin.close());

  const get = async (url: string, changes: Partial<CreativeSettings> = {}) => {
    const settings = { ...open, ...changes };
    const web = new CreativeFetcher(settings);
    try {
      const arriving = await web.get(url, new RedirectTrail(settings), AbortSignal.timeout(5_000));
      return await readBytes(arriving.body, 1_000_000);
    } catch (error) {
      if (error instanceof CreativeRefused || error instanceof FetchFailed) return error;
      throw error;
    } finally {
      await web.close();
    }
  };

  it('leads to no address that is not public, by number, by name, or by a redirect', async () => {
    const guarded = { allowPrivateNetworks: false };
    for (const url of [
      origin.url('/a.xml'),
      origin.urlAt('localhost', '/a.xml'),
      'http://[::1]/a.xml',
      'http://[::ffff:127.0.0.1]/a.xml',
      'http://10.0.0.1/a.xml',
      'http://169.254.169.254/latest/meta-data',
      'http://2130706433/a.xml',
    ]) {
      expect(await get(url, guarded), url).to.be.instanceOf(CreativeRefused);
    }
    expect(origin.requestedPaths).to.deep.equal([]);
    // A redirect is a step like the first.
    const trail = new RedirectTrail({ ...open, ...guarded });
    trail.step('http://ads.example/a');
    expect(() => trail.step('http://169.254.169.254/')).to.throw(CreativeRefused, 'public');
  });
  it('leads to no http where https is demanded, nor to other schemes', async () => {
    const https = { httpsOnly: true };
    expect(await get(origin.url('/a.xml'), https)).to.be.instanceOf(CreativeRefused);
    for (const url of ['file:///etc/passwd', 'ftp://ads.example/a', 'data:text/xml,<VAST/>', 'no url']) {
      expect(await get(url), url).to.be.instanceOf(CreativeRefused);
    }
    origin.answer('/to-file', redirect('file:///etc/passwd'));
    expect(await get(origin.url('/to-file'))).to.be.instanceOf(CreativeRefused);
  });
  it('leads to no host with a label that is longer than the DNS has', async () => {
    const url = `https://${encodeURIComponent('一'.repeat(64))}.test/`;
    expect(await get(url)).to.be.instanceOf(CreativeRefused);
    origin.answer('/to-long-label', redirect(url));
    expect(await get(origin.url('/to-long-label'))).to.be.instanceOf(CreativeRefused);
  });
  it('counts domains, not the hosts of one', () => {
    const trail = new RedirectTrail(open);
    for (const host of ['a.one.test', 'b.one.test', 'two.test', 'x.three.co.uk', 'y.three.co.uk', 'four.test']) {
      trail.step(`http://${host}/${host}`);
    }
    expect(() => trail.step('http://five.test/')).to.throw(CreativeRefused, '3 domains');
  });
  it('ends after ten steps, however few domains they are of', async () => {
    for (let at = 0; at < 20; at++) origin.answer(`/step${at}`, redirect(`/step${at + 1}`));
    expect(await get(origin.url('/step0'))).to.be.instanceOf(CreativeRefused);
    expect(origin.requestedPaths.filter((path) => path.startsWith('/step'))).to.have.length(10);
  });
  it('takes off the content coding, and counts what is under it', async () => {
    const text = Buffer.from('<VAST/>'.repeat(100));
    for (const [coding, bytes] of [
      ['gzip', gzipSync(text)],
      ['br', brotliCompressSync(text)],
    ] as const) {
      origin.answer(`/${coding}`, (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(bytes),
      );
      expect(String(await get(origin.url(`/${coding}`)))).to.equal(String(text));
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    origin.answer('/bomb', (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    expect(await get(origin.url('/bomb'))).to.be.instanceOf(CreativeRefused);
  });
  it('believes no UTF-16 of XML whose first bytes are of another encoding', () => {
    for (const label of ['utf-16', 'UTF-16LE', 'utf-16be', 'ucs-2', 'unicode']) {
      const text = `<?xml version="1.0" encoding="${label}"?><a>é</a>`;
      expect(xmlText(Buffer.from(text), 'text/xml'), label).to.equal(text);
      expect(xmlText(Buffer.from(text), `text/xml; charset=${label}`), label).to.equal(text);
      expect(xmlText(Buffer.from(text, 'latin1'), 'text/xml; charset=ISO-8859-1'), label).to.equal(text);
      expect(xmlText(Buffer.from('\n<a>é</a>'), `text/xml; charset=${label}`), label).to.equal('\n<a>é</a>');
      expect(xmlText(Buffer.from(`\ufeff${text}`, 'utf16le'), 'text/xml'), label).to.equal(text);
    }
    const text = '<a>é</a>';
    expect(xmlText(Buffer.from(text, 'utf16le'), 'text/xml; charset=utf-16le'), 'without a mark').to.equal(text);
    expect(xmlText(Buffer.from(text, 'utf16le').swap16(), 'text/xml; charset=utf-16be')).to.equal(text);
  });
  it('reads XML in the encoding that it is in', () => {
    const decoded = (bytes: Buffer, contentType = '') => xmlText(bytes, contentType);
    const text = '<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>';
    expect(decoded(Buffer.from(text, 'latin1'))).to.equal(text);
    expect(decoded(Buffer.from('<a>é</a>', 'latin1'), 'text/xml; charset=ISO-8859-1')).to.equal('<a>é</a>');
    expect(decoded(Buffer.from('\ufeff<a>é</a>', 'utf16le'))).to.equal('<a>é</a>');
    expect(decoded(Buffer.from('\ufeff<a>é</a>'), 'text/xml; charset=ISO-8859-1')).to.equal('<a>é</a>');
    expect(decoded(Buffer.from('<a>é</a>'), 'text/xml; charset=no-such')).to.equal('<a>é</a>');
    const unnamed = '<?xml version="1.0" encoding="no-such"?><a>é</a>';
    expect(decoded(Buffer.from(unnamed, 'latin1'), 'text/xml; charset=ISO-8859-1')).to.equal(unnamed);
  });
});
