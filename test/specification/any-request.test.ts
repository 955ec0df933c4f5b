import { expect } from 'chai';
import fc from 'fast-check';
import { errorCatalogue } from '../../gateways/errors.ts';
import { errorsOf } from '../../gateways/management/openapi/error-answers.ts';
import { routes } from '../../gateways/management/routes.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
/** What no schema foresaw, in the places of ids, of query parameters and of headers. */
const oddText = fc.oneof(
  fc.constantFrom(
    absentId,
    '__proto__',
    'constructor',
    '..',
    '%00',
    '-1',
    '1e999',
    '9'.repeat(400),
    'null',
    'true',
    '[]',
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const oddBody = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '{', '{"__proto__":{"name":1}}', '{"name":1e999}', '{"name":"\\ud800"}', '[[[[]]]]', '"', '-'),
);
/** Fields that routes do have, with values of any kind. */
const fields = [...new Set(routes.flatMap(({ body }) => Object.keys(body?.properties ?? {})))];
const halfRight = fc
  .dictionary(fc.constantFrom(...fields), fc.jsonValue({ maxDepth: 3 }))
  .map((body) => JSON.stringify(body));

againstExchange('any request', (exchange) => {
  shows('error.500.INTERNAL_ERROR', async () => {
    const { baseUrl, liveKey, sandboxKey } = exchange.running;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...routes),
        fc.constantFrom(liveKey, sandboxKey),
        fc.array(oddText, { minLength: 3, maxLength: 3 }),
        fc.oneof(oddBody, halfRight),
        async (route, key, [id = '', value = '', tag = ''], body) => {
          const path = route.path.replaceAll(/:\w+/g, encodeURIComponent(id));
          const query = Object.keys(route.query?.properties ?? {}).map(
            (name) => `${name}=${encodeURIComponent(value)}`,
          );
          const answer = await fetch(`${baseUrl}${path}?${query.join('&')}`, {
            method: route.method,
            headers: {
              'X-API-Key': key,
              'Content-Type': 'application/json',
              'If-Match': encodeURIComponent(tag) || '*',
              'Idempotency-Key': encodeURIComponent(`${value}${tag}`) || 'none',
            },
            body: route.method === 'GET' ? null : body,
          });
          await answer.arrayBuffer();
          const declared = [route.answer.status, ...errorsOf(route).map((code) => errorCatalogue[code].status)];
          // A path that is no route's any more, once an odd id is in it.
          const elsewhere = [404, 405];
          expect([...declared, ...elsewhere], `${route.method} ${path}`).to.include(answer.status);
          expect(answer.status, `${route.method} ${path}`).not.to.equal(500);
        },
      ),
      { numRuns: 500 },
    );
  });
});
