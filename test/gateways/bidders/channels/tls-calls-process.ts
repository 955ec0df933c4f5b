import { SocketChannels } from '#gateways/bidders/channels/socket-channels';
import { UndiciChannels } from '#gateways/bidders/channels/undici-channels';
import { systemClock } from '#runtime/providers/system/system-clock';
import { type CallEnd, RecordedCall } from './recorded-call.ts';

/** Calls to make one after the other; `apart`: on a connection each. */
export interface TlsJob {
  readonly client: 'sockets' | 'undici';
  readonly url: string;
  readonly calls: number;
  readonly apart: boolean;
}

/**
 * Makes the calls of the parent's message and sends how each ended. A process of its own, because the certificates that
 * Node trusts beside the well-known ones (NODE_EXTRA_CA_CERTS) are read when it starts.
 */
process.once('message', async ({ client, url, calls, apart }: TlsJob) => {
  const options = { policy: { allowPrivateNetworks: true }, connectTimeoutMs: 5_000, keepAliveMs: 4_000 };
  const channels =
    client === 'sockets'
      ? new SocketChannels(new URL(url), [], options, systemClock)
      : new UndiciChannels(new URL(url), [], options);
  const ends: CallEnd[] = [];
  for (let made = 0; made < calls; made++) {
    const call = new RecordedCall();
    const nowMs = systemClock.monotonic() + (apart ? made * 10_000 : 0);
    channels.take(nowMs).send(call, Buffer.from(`{"call":${made}}`));
    ends.push(await call.ended);
    // The client puts a connection back, and reads a new session, a turn after the call has ended.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  process.send?.(ends, () => process.disconnect());
  channels.destroy();
});
