import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ResponseBody } from '#gateways/bidders/response-body';

const MAX_BYTES = 256 * 1024;

/** A body of these bytes that comes in parts of `size`; each is overwritten once it has been taken. */
function inParts(content: Buffer, size: number, coding: 'identity' | 'gzip' = 'identity'): ResponseBody {
  const body = new ResponseBody(MAX_BYTES);
  body.coding = coding;
  for (let from = 0; from < content.length; from += size) {
    const part = Buffer.from(content.subarray(from, from + size));
    if (!body.add(part, 0, part.length, false)) break;
    part.fill('?');
  }
  return body;
}

describe('the body of a bidder’s answer', () => {
  const document = { id: 'r', text: 'ä€😀'.repeat(500) };
  const text = Buffer.from(JSON.stringify(document));

  for (const size of [1, 2, 3, 1_000, text.length]) {
    it(`is read from parts of ${size} bytes, with and without gzip`, () => {
      expect(inParts(text, size).parse()).to.deep.equal({ document });
      expect(inParts(gzipSync(text), size, 'gzip').parse()).to.deep.equal({ document });
    });
  }

  it('is read where it was received if it comes whole', () => {
    const body = new ResponseBody(MAX_BYTES);
    const received = Buffer.from(`<<${text}>>`);
    expect(body.add(received, 2, received.length - 2, true)).to.equal(true);
    expect(body.parse()).to.deep.equal({ document });
  });

  it('may be nothing', () => {
    expect(new ResponseBody(MAX_BYTES).isEmpty).to.equal(true);
    expect(new ResponseBody(MAX_BYTES).text()).to.equal('');
  });

  it('is refused past the bound, and what had come before is there as text', () => {
    expect(inParts(Buffer.alloc(MAX_BYTES, 'x'), 1_000).text()).to.have.length(MAX_BYTES);
    const body = inParts(Buffer.alloc(MAX_BYTES + 1, 'x'), 1_000);
    expect(body.text()).to.equal('x'.repeat(262_000));
    expect(body.add(Buffer.from('y'), 0, 1, false)).to.equal(false);
  });

  it('takes a few buffers, however small its parts are', () => {
    const { allocUnsafe } = Buffer;
    let [buffers, bytes] = [0, 0];
    const counted = (size: number) => {
      buffers++;
      bytes += size;
      return allocUnsafe(size);
    };
    const part = Buffer.from('x');
    const body = new ResponseBody(MAX_BYTES);
    Buffer.allocUnsafe = counted as typeof allocUnsafe;
    try {
      for (let at = 0; at < MAX_BYTES; at++) body.add(part, 0, 1, false);
    } finally {
      Buffer.allocUnsafe = allocUnsafe;
    }
    expect(body.text()).to.have.length(MAX_BYTES);
    expect(buffers).to.be.below(20);
    expect(bytes).to.be.below(3 * MAX_BYTES);
  });
});
