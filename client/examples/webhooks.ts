// A receiver of webhooks: verifies who sent a delivery, acknowledges it, and handles each event once.
// WEBHOOK_SECRET: from the answer that made the webhook; PORT.
import { createServer } from 'node:http';
import { verifyWebhook, type WebhookEvent } from '@ad-exchange/client';

const secret = process.env.WEBHOOK_SECRET ?? '';
const handled = new Set<string>();

function handle(event: WebhookEvent): void {
  switch (event.type) {
    case 'pool.dsp_joined':
      console.log(`${event.data.dsp_name} buys from ${event.data.pool_id}`);
      break;
    case 'publisher.verification_failed':
      console.log(`${event.data.publisher_id} is not verified: ${event.data.reason}`);
      break;
    default:
      console.log(event.type);
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const { id, event } = verifyWebhook(request.headers, Buffer.concat(chunks), secret);
    response.writeHead(200).end();
    if (handled.has(id)) return;
    handled.add(id);
    handle(event);
  } catch {
    response.writeHead(401).end();
  }
});
server.listen(Number(process.env.PORT ?? 3000), () => console.log('listening'));
