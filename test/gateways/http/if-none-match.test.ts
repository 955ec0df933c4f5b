import { expect } from 'chai';
import type { Context } from 'koa';
import { isNotModified } from '#gateways/http/if-none-match';

describe('gateways/http/if-none-match', () => {
  const asked = (ifNoneMatch: string, etag: string) =>
    isNotModified({ get: () => ifNoneMatch, response: { get: () => etag } } as unknown as Context);

  for (const [given, etag, has] of [
    ['"a"', '"a"', true],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['"b", W/"a"', '"a"', true],
    ['*', '"a"', true],
    ['"b"', '"a"', false],
    ['', '"a"', false],
    ['*', '', false],
    ['', '', false],
  ] as const) {
    it(`says ${has} of ${given || 'nothing'} where ${etag || 'no tag'} is answered`, () =>
      expect(asked(given, etag)).to.equal(has));
  }
});
