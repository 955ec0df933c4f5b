import { DOMParser, type Element, type Node } from '@xmldom/xmldom';
import { expect } from 'chai';
import fc from 'fast-check';
import { injectVastTrackers } from '#exchange/vast/inject-trackers';
import { describeSamples } from './samples.ts';

const TRACKER = 'https://edge.test/track/impression?id=1&pub=2&t=x.y.z';

/** A second opinion: what another parser finds in the document. */
function bodiesOf(vast: string): Element[] {
  const document = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') throw new Error(message);
    },
  }).parseFromString(vast.replace(/^\ufeff/, '').trimStart(), 'text/xml');
  return childrenOf(document.documentElement!, 'Ad').flatMap((ad) => [
    ...childrenOf(ad, 'InLine'),
    ...childrenOf(ad, 'Wrapper'),
  ]);
}

function childrenOf(parent: Element, localName: string): Element[] {
  return [...parent.childNodes].filter(
    (node: Node): node is Element => node.nodeType === 1 && local(node) === localName,
  );
}

function local(node: Node): string {
  return node.nodeName.slice(node.nodeName.indexOf(':') + 1);
}

function impressionsOf(body: Element): string[] {
  return childrenOf(body, 'Impression').map(({ textContent }) => (textContent ?? '').trim());
}

function injected(vast: string): string {
  const injection = injectVastTrackers(vast, TRACKER);
  if (!injection.ok) throw new Error(`${injection.reason}: ${injection.message}`);
  return injection.adm;
}

/** That `vast` comes out with our tracker once in each ad, and otherwise as it was. */
function expectInjected(vast: string): string {
  const result = injected(vast);
  const before = bodiesOf(vast);
  const after = bodiesOf(result);
  expect(after).to.have.length(before.length);
  for (const [index, body] of after.entries()) {
    const own = impressionsOf(body).filter((url) => url === TRACKER);
    expect(own).to.deep.equal([TRACKER]);
    expect(impressionsOf(body).filter((url) => url !== TRACKER)).to.deep.equal(impressionsOf(before[index]!));
  }
  const withoutOurs = result.replaceAll(
    /<([\w]+:)?Impression><!\[CDATA\[https:\/\/edge\.test[^\]]*\]\]><\/\1?Impression>/g,
    '',
  );
  expect(withoutOurs).to.equal(vast.replace(/^\ufeff/, '').trimStart());
  return result;
}

function refusal(vast: string): string {
  const injection = injectVastTrackers(vast, TRACKER);
  return injection.ok ? 'accepted' : injection.reason;
}

/** Samples that nothing but VPAID can show. */

const inline = (parts: string) => `<VAST version="3.0"><Ad id="1"><InLine>${parts}</InLine></Ad></VAST>`;

describe('the impression in VAST', () => {
  it('joins those of the DSP, in every ad', () => {
    const result = expectInjected(
      `<?xml version="1.0"?>
      <VAST version="4.2" xmlns="http://www.iab.com/VAST">
        <Ad><InLine><AdSystem>a</AdSystem><Impression id="x"><![CDATA[ https://dsp.test/1?a=1&b=2 ]]></Impression><Creatives/></InLine></Ad>
        <Ad><Wrapper><Impression>https://dsp.test/2</Impression><Impression/></Wrapper></Ad>
      </VAST>`,
    );
    expect(bodiesOf(result).map(impressionsOf)).to.deep.equal([
      ['https://dsp.test/1?a=1&b=2', TRACKER],
      ['https://dsp.test/2', TRACKER, ''],
    ]);
  });

  it('comes before Creatives where the ad has none, or last', () => {
    expect(expectInjected(inline('<AdSystem/><Creatives></Creatives><Extensions/>'))).to.match(
      /<AdSystem\/><Impression>.*<\/Impression><Creatives>/,
    );
    expect(expectInjected(inline('<AdSystem/>'))).to.match(/<AdSystem\/><Impression>.*<\/Impression><\/InLine>/);
  });

  it('is not misled by comments, CDATA, white space, attributes or deeper elements', () => {
    expectInjected(
      inline(`<!-- <Impression>no</Impression> --><AdTitle><![CDATA[<Impression>no</Impression></InLine>]]></AdTitle>
        <Extensions><Extension><Impression>deeper</Impression></Extension></Extensions>
        <Impression
           id='a > b' >https://dsp.test/1</Impression
        ><Creatives/>`),
    );
  });

  it('keeps the namespace prefix of its ad', () => {
    const result = expectInjected(
      '<v:VAST xmlns:v="http://www.iab.com/VAST" version="4.0"><v:Ad><v:InLine><v:Impression>a</v:Impression></v:InLine></v:Ad></v:VAST>',
    );
    expect(result).to.contain(`<v:Impression><![CDATA[${TRACKER}]]></v:Impression>`);
  });

  it('reads past a byte-order mark and white space before the declaration', () => {
    expectInjected(`\ufeff\r\n <?xml version="1.0"?>\r\n${inline('\r\n<Impression>😀</Impression>\r\n')}`);
  });

  it('does not let a URL end its CDATA section', () => {
    const injection = injectVastTrackers(inline('<Impression/>'), 'https://edge.test/?a=]]>b');
    expect(injection.ok && impressionsOf(bodiesOf(injection.adm)[0]!)).to.deep.equal([
      '',
      'https://edge.test/?a=]]%3Eb',
    ]);
  });

  it('is refused, with the reason, where it cannot be', () => {
    expect(refusal('<html><body>an ad</body></html>')).to.equal('vast-malformed');
    expect(refusal('{"an":"ad"}')).to.equal('vast-malformed');
    expect(refusal(inline('<Impression>https://dsp.test/?a=1&b=2</Impression>'))).to.equal('vast-malformed');
    expect(refusal(inline('<Impression>').slice(0, -10))).to.equal('vast-malformed');
    expect(refusal(inline('<AdTitle>\ud800<Impression/>'))).to.equal('vast-malformed');
    expect(refusal(`<?xml version="1.1"?>${inline('<Impression>&#1;</Impression>')}`)).to.equal('vast-malformed');
    expect(refusal('<VAST version="3.0"><Ad></Ad></VAST>')).to.equal('vast-malformed');
    expect(refusal('<VAST version="3.0"><Ad><InLine/></Ad></VAST>')).to.equal('vast-malformed');
    expect(refusal('<VAST version="3.0"><Ad><InLine>a</InLine><InLine>b</InLine></Ad></VAST>')).to.equal(
      'vast-malformed',
    );
    expect(refusal('<VAST version="4.0"/>')).to.equal('vast-without-ad');
    expect(refusal('<VideoAdServingTemplate/>')).to.equal('vast-version-unsupported');
    expect(refusal(inline('a').replace('3.0', '1.0'))).to.equal('vast-version-unsupported');
    expect(refusal(inline('a').replace(' version="3.0"', ''))).to.equal('vast-version-unsupported');
  });

  it('is refused for VPAID, unless something else plays', () => {
    const linear = (...files: string[]) =>
      inline(`<Creatives><Creative><Linear><MediaFiles>${files.join('')}</MediaFiles></Linear></Creative></Creatives>`);
    const vpaid = '<MediaFile type="application/javascript" apiFramework="VPAID">v.js</MediaFile>';
    const plain = '<MediaFile type="video/mp4">v.mp4</MediaFile>';
    expect(refusal(linear(vpaid))).to.equal('vpaid-unsupported');
    expect(refusal(linear(vpaid.replace(' apiFramework="VPAID"', '')))).to.equal('vpaid-unsupported');
    expectInjected(linear(vpaid, plain));
    expectInjected(linear(plain));
    expectInjected(linear());
  });

  it('does not expand entities that a document makes up', () => {
    const bomb = `<!DOCTYPE VAST [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>${inline('<AdTitle>&b;</AdTitle>')}`;
    expect(refusal(bomb)).to.equal('vast-malformed');
  });

  it('finds the places that another parser finds, in any document', () => {
    const name = fc.constantFrom('Impression', 'Creatives', 'AdSystem', 'InLine', 'Ad', 'Extension');
    const text = fc.constantFrom(
      '',
      'x',
      '\r\n',
      '<!-- > <Ad> -->',
      '<![CDATA[</Impression>]]>',
      '&amp;',
      '😀',
      '<?pi <Ad> ?>',
    );
    const { element } = fc.letrec<{ element: string }>((tie) => ({
      element: fc.oneof(
        { maxDepth: 3 },
        fc
          .tuple(name, text)
          .map(([tag, inner]) => (inner === '' ? `<${tag} a='>' />` : `<${tag}\n>${inner}</${tag} >`)),
        fc
          .tuple(name, fc.array(tie('element'), { maxLength: 3 }), text)
          .map(([tag, inner, rest]) => `<${tag} b="/>">${inner.join(rest)}${rest}</${tag}>`),
      ),
    }));
    const ad = fc
      .tuple(fc.constantFrom('InLine', 'Wrapper'), fc.array(element, { minLength: 1, maxLength: 5 }), text)
      .map(([body, parts, between]) => `<Ad>${between}<${body}>${parts.join(between)}</${body}>${between}</Ad>`);
    fc.assert(
      fc.property(fc.array(ad, { minLength: 1, maxLength: 3 }), (ads) => {
        expectInjected(`<VAST version="2.0">${ads.join('')}</VAST>`);
      }),
      { numRuns: 300 },
    );
  });

  describeSamples('joins the impressions', ({ all, refused }) => {
    for (const { name, text } of all) {
      const reason = refused[name];
      if (reason === undefined) it(name, () => void expectInjected(text));
      else it(`${name}: refused, ${reason}`, () => expect(refusal(text)).to.equal(reason));
    }
  });
});
