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
});
