import { expect } from 'chai';
import { readHtml } from '#gateways/creatives/scan/html/read-html';

describe('gateways/creatives/scan: markup is read as a browser’s tokeniser does', () => {
  it('reads a character reference with more digits than a number can have', () => {
    const image = '<img src="https://cdn.test/a.png">';
    for (const reference of [`&#${'9'.repeat(400)};`, `&#x${'f'.repeat(400)};`, `&#${'9'.repeat(400)}`]) {
      const read = readHtml(`<a title="${reference}">${reference}</a>${image}`);
      expect(read.resources.map(({ url }) => url)).to.deep.equal(['https://cdn.test/a.png']);
    }
  });

  it('reads a few hundred scripts, each once, and says where there are more', () => {
    const distinct = (count: number) => Array.from({ length: count }, (_, at) => `<script>a${at} b</script>`).join('');
    const mining = '<script>new CoinHive.Anonymous("key").start();</script>';
    const codes = (markup: string) => readHtml(markup).signs.map(({ code }) => code);
    expect(codes(distinct(199) + mining)).to.deep.equal(['mining-script']);
    expect(codes(distinct(200) + mining)).to.deep.equal(['unreadable-markup']);
    expect(codes('<script>a b</script>'.repeat(20_000) + mining)).to.deep.equal(['mining-script']);
    expect(codes('<img onload="a()">'.repeat(20_000) + mining)).to.deep.equal(['mining-script']);
  });

  it('reads a script again that stood deeper before, for what it writes', () => {
    const script = `<script>document.write('<script>top.location = "https://page.test/"<\\/script>');</script>`;
    const quoted = (markup: string) => markup.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    let within = script;
    for (let depth = 0; depth < 3; depth++) within = `<iframe srcdoc="${quoted(within)}"></iframe>`;
    const codes = (markup: string) => readHtml(markup).signs.map(({ code }) => code);
    expect(codes(within)).to.deep.equal([]);
    expect(codes(within + script)).to.deep.equal(['forced-redirect']);
  });
});
