import { expect } from 'chai';
import { asciiHost, parseUrl } from '#exchange/parse-url';

/** As many letters as one of them needs time to convert. */
const LETTERS = String.fromCodePoint(...Array.from({ length: 64 }, (_, index) => 0x4e00 + index));

describe('URLs that others state', () => {
  for (const url of [
    'https://dsp.example/won?p=1',
    `https://dsp.example/${LETTERS}?${LETTERS}`,
    `https://${LETTERS.slice(0, 40)}.example/`,
    `https://${'ü.'.repeat(100)}example/`,
    ' HTTPS:\\\\bücher.example ',
    'https://user:word@bücher.example:8443/',
    `https://${LETTERS}@dsp.example/`,
    'http://[::1]:8080/',
    'ftp://dsp.example/',
    `dsp://${LETTERS}/`,
    `data:text/plain,${LETTERS}`,
    `https://${'a.'.repeat(64)}example/`,
  ]) {
    it(`are read: ${url.slice(0, 40)}`, () => expect(parseUrl(url)?.href).to.equal(new URL(url).href));
  }

  for (const url of [
    'no URL',
    '',
    `https://${LETTERS}.example/`,
    `https:${LETTERS}.example/`,
    `ht\ttps:\\/${LETTERS}.example/`,
    `\u0001https://a@${LETTERS}`,
    `https://a.${LETTERS.replaceAll(/(.)/g, '$1a')}?`,
    `https://xn--${'a9'.repeat(32)}/`,
  ]) {
    it(`are none: ${JSON.stringify(url.slice(0, 20))}`, () => expect(parseUrl(url)).to.equal(null));
  }

  const base = new URL('https://ads.example/a/b.xml');
  for (const url of [
    'c.xml',
    `${LETTERS}.png`,
    `/${LETTERS}`,
    `?${LETTERS}`,
    '',
    '//bücher.example/c',
    '\\\\bücher.example/c',
    'http://b.example/',
  ]) {
    it(`are read relative to another: ${url.slice(0, 20)}`, () =>
      expect(parseUrl(url, base)?.href).to.equal(new URL(url, base).href));
  }

  for (const url of [`//${LETTERS}/`, `\t/\n/\\${LETTERS}`, `\\\\${LETTERS}`, `https://${LETTERS}/`]) {
    it(`are none relative to another: ${JSON.stringify(url.slice(0, 20))}`, () =>
      expect(parseUrl(url, base)).to.equal(null));
  }

  it('have a host of ASCII', () => {
    expect(asciiHost('bücher.example')).to.equal('xn--bcher-kva.example');
    expect(asciiHost('a b')).to.equal(null);
    expect(asciiHost(LETTERS)).to.equal(null);
  });
});
