import type { AddressInfo } from 'node:net';
import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { jobOf, sendToParent } from '../processes/child.ts';

/** The floor: a Koa route that parses the request as JSON and answers the same JSON as the exchange, byte for byte. */
const { answer } = jobOf<{ answer: string }>();
const document = JSON.parse(answer);
const router = new Router();
router.post('/rtb', koaBody({ jsonLimit: '1mb', text: false, urlencoded: false }), (ctx) => {
  const { imp } = ctx.request.body as { readonly imp: readonly object[] };
  if (imp.length === 0) throw new Error('nothing to auction');
  ctx.body = document;
});
const app = new Koa();
app.use(router.routes());
const server = app.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
server.keepAliveTimeout = 65_000;
