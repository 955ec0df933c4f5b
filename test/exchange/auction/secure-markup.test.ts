import { expect } from 'chai';
import { firstInsecureUrl } from '#exchange/auction/secure-markup';

const SECURE = [
  '<img src="https://cdn.example/a.png">',
  '<a href="http://shop.example/"><img src="https://cdn.example/a.png"></a>',
  "<a target=_blank href='http://shop.example/'>shop</a>",
  '<img src="https://t.example/i?next=http://other.example/&amp;u=http://third.example">',
  '<img src="https://t.example/i?next=http%3A%2F%2Fother.example">',
  '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
  '<VAST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="http://iab.example/vast.xsd"/>',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1.dtd"><p>',
  '<VAST><ClickThrough id="1"><![CDATA[ http://shop.example ]]></ClickThrough></VAST>',
  '<CompanionClickThrough>http://shop.example</CompanionClickThrough>',
  '{"native":{"link":{"url":"http://shop.example"},"assets":[{"img":{"url":"https://cdn.example/a.png"}}]}}',
  'call us at http or at a http:port',
  '//cdn.example/a.js',
];

const INSECURE = [
  'http://cdn.example/a.js',
  '<img src="http://cdn.example/a.png">',
  '<IMG SRC=HTTP://cdn.example/a.png>',
  "<script src='http://cdn.example/a.js'></script>",
  '<link rel="stylesheet" href="http://cdn.example/a.css">',
  '<div style="background:url(http://cdn.example/a.png)">',
  '<VAST><Impression><![CDATA[http://t.example/i]]></Impression></VAST>',
  '<VAST><MediaFile type="video/mp4">\n  http://cdn.example/a.mp4\n</MediaFile></VAST>',
  '<VAST><VASTAdTagURI>http://ads.example/wrapped</VASTAdTagURI></VAST>',
  '<VAST><ClickTracking>http://t.example/c</ClickTracking></VAST>',
  '{"native":{"assets":[{"img":{"url":"http:\\/\\/cdn.example\\/a.png"}}]}}',
  '{"native":{"imptrackers":["http://t.example/i"],"link":{"url":"http://shop.example"}}}',
  '<a href="http://shop.example"><img src="http://cdn.example/a.png"></a>',
  '<script>new Image().src = "http://t.example/i";</script>',
];

describe('firstInsecureUrl', () => {
  for (const markup of SECURE) it(`passes ${markup}`, () => expect(firstInsecureUrl(markup)).to.equal(null));
  for (const markup of INSECURE)
    it(`stops ${markup}`, () => expect(firstInsecureUrl(markup)).to.match(/^http:\/\/\w+\.example/i));

  const quoted: readonly [markup: string, url: string][] = [
    ['<img src="http://cdn.example/a.png"><img src="http://other.example/b.png">', 'http://cdn.example/a.png'],
    ['<a href="http://shop.example/"><img src=http://cdn.example/a.png></a>', 'http://cdn.example/a.png'],
    ['<div style="background:url(http://cdn.example/a.png)">', 'http://cdn.example/a.png'],
    ['<Impression><![CDATA[http://t.example/i]]></Impression>', 'http://t.example/i'],
    ['<div style="background:url(&quot;http://cdn.example/a.png&quot;)">', 'http://cdn.example/a.png'],
    ['{"img":{"url":"http:\\/\\/cdn.example\\/a.png"}}', 'http://cdn.example/a.png'],
    ['<img src="http://t.example/i?viewer=somebody#x">', 'http://t.example/i?viewer=somebody#x'],
    [`<img src="http://t.example/${'a'.repeat(300)}">`, `http://t.example/${'a'.repeat(183)}`],
  ];
  for (const [markup, url] of quoted) {
    it(`quotes ${url} of ${markup}`, () => expect(firstInsecureUrl(markup)).to.equal(url));
  }

  it('stops markup with more plain URLs than real ads have, wherever they stand', () => {
    const link = '<a href="http://a.test/">a</a>';
    expect(firstInsecureUrl(link.repeat(1_000))).to.equal(null);
    expect(firstInsecureUrl(link.repeat(1_001))).to.equal('http://a.test/');
  });

  it('takes time in proportion to the markup, hostile or not', () => {
    for (const piece of [
      '<a href="http://x">',
      'xmlns="http://x" ',
      ' '.repeat(50),
      '<ClickThrough>http:',
      'http:',
      'a'.repeat(50),
    ]) {
      const hostile = `http: ${piece.repeat(Math.ceil(200_000 / piece.length))}`;
      const began = process.cpuUsage();
      firstInsecureUrl(hostile);
      // Milliseconds in truth; a quadratic scan takes half a minute.
      expect(process.cpuUsage(began).user / 1e6, `seconds for ${piece} repeated`).to.be.below(2);
    }
  });
});
