import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import Koa from 'koa';
import { takesGzip } from '#gateways/http/takes-gzip';

const app = new Koa();
const contextOf = (header: string | undefined) =>
  app.createContext(
    { headers: header === undefined ? {} : { 'accept-encoding': header } } as IncomingMessage,
    {} as ServerResponse,
  );

const part = fc
  .tuple(
    fc.constantFrom('gzip', 'GZIP', 'identity', '*', 'br', 'deflate', ''),
    fc.constantFrom('', ';q=0', ';q=1', ';q=0.5', '; q=0.1', ';q=x'),
  )
  .map((parts) => parts.join(''));
const header = fc.option(
  fc.oneof(
    fc.array(part, { maxLength: 4 }).map((parts) => parts.join(', ')),
    fc.nat({ max: 100 }).map((times) => `gzip${', br'.repeat(times)}`),
  ),
  { nil: undefined },
);

describe('gateways/http/takes-gzip', () => {
  it('answers what reading the whole header says', () => {
    fc.assert(
      fc.property(header, (given) => {
        const expected = contextOf(given).acceptsEncodings('gzip', 'identity') === 'gzip';
        expect(takesGzip(contextOf(given))).to.equal(expected);
      }),
      { numRuns: 1_000 },
    );
  });
});
