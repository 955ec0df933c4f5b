import type { Schemas } from '#client/index';
import { type CallerOptions, withClient } from '../api/connect.ts';
import { CommandFailed, EXIT, type Run } from '../definition.ts';
import { explainAuction } from './explain-auction.ts';

interface Options extends CallerOptions {
  readonly publisher?: string;
  readonly demand?: string;
  readonly outcome?: Schemas['AuctionListed']['outcome'];
  readonly reason?: string;
  readonly from?: string;
  readonly to?: string;
}

export const run: Run<Options> = async ({ args: [given], options }) => {
  const found = await withClient(options, async (client) => {
    const id = given ?? (await newest(client, options));
    if (id === null) return null;
    const { data: auction } = await client.get('/api/auctions/{id}', { params: { path: { id } } });
    return { json: auction, text: explainAuction(auction, await namesOf(client, auction)) };
  });
  if (found !== null) return found;
  const isInSandbox = !options.sandbox && (await isRecordedInSandbox(options));
  const where = isInSandbox ? '; the sandbox has some: add --sandbox.' : '; a new one is recorded within seconds.';
  throw new CommandFailed(`No auction is recorded that the options leave${where}`, EXIT.refused, 'NOT_FOUND');
};

/** False too where the caller may not look there: then it is no help. */
function isRecordedInSandbox(options: Options): Promise<boolean> {
  return withClient({ ...options, sandbox: true }, async (client) => (await newest(client, options)) !== null).catch(
    () => false,
  );
}

/** The id of the newest auction that the options leave; null where there is none. */
async function newest(
  client: Client,
  { publisher, demand, outcome, reason, from, to }: Options,
): Promise<string | null> {
  const query = {
    ...(publisher !== undefined && { publisher_id: publisher }),
    ...(demand !== undefined && { dsp_id: demand }),
    ...(outcome !== undefined && { outcome }),
    ...(reason !== undefined && { reason }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    limit: 1,
  };
  const { data } = await client.get('/api/auctions', { params: { query: query as never } });
  return data.auctions[0]?.id ?? null;
}

type Client = Parameters<Parameters<typeof withClient>[1]>[0];

/** The names of the demand sources that are the caller's; of others the id is all there is. */
async function namesOf(client: Client, { demand }: Schemas['Auction']): Promise<ReadonlyMap<string, string>> {
  const named = await Promise.all(
    demand.map(async ({ dsp_id: id }: { readonly dsp_id: string }) => {
      const source = await client.get('/api/demand/sources/{id}', { params: { path: { id } } }).catch(() => null);
      return [id, source?.data.name ?? id] as const;
    }),
  );
  return new Map(named);
}
