import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import Koa from 'koa';
import { PIXEL } from '../../gateways/edge/tracking/pixel.ts';
import { jobOf, sendToParent } from '../processes/child.ts';

/** The floor: a bare Koa that appends as many bytes to a stream and then answers with the pixel. */
const { redisUrl, stream } = jobOf<{ redisUrl: string; stream: string }>();
const PAYLOAD = 'x'.repeat(330);
const redis = new Redis(redisUrl);
const app = new Koa();
app.use(async (ctx) => {
  await redis.xadd(stream, '*', 'm', PAYLOAD);
  ctx.set('Cache-Control', 'no-store');
  ctx.type = 'image/gif';
  ctx.body = PIXEL;
});
const server = app.listen(0, '127.0.0.1', () => sendToParent({ port: (server.address() as AddressInfo).port }));
server.keepAliveTimeout = 65_000;
