import type { ExchangeClient } from '#client/index';
import { type CallerOptions, withClient } from '../api/connect.ts';
import { readDocumentFile } from '../api/read-document.ts';
import { CommandFailed, type Outcome, type Run } from '../definition.ts';
import { fieldsOf, tableOf } from '../table.ts';
import { inOneLine, styled } from '../terminal.ts';

interface Options extends CallerOptions {
  readonly request?: string;
  readonly strategy?: string;
  readonly publisher?: string;
  readonly scenario?: string;
}

/** A request that any delegate may bid on. */
const PLAIN_REQUEST = { id: 'simulated', imp: [{ id: '1', banner: { w: 300, h: 250 } }] };

export const run: Run<Options> = ({ args, options }) =>
  withClient(options, async (client) => {
    const id = args[0]!;
    const { data: source } = await client.get('/api/demand/sources/{id}', { params: { path: { id } } });
    return source.mode === 'delegate' ? ofDelegate(client, id, options) : ofBidder(client, id, options);
  });

async function ofDelegate(client: ExchangeClient, id: string, options: Options): Promise<Outcome> {
  if (options.scenario !== undefined) throw new CommandFailed('--scenario is for bidders: this one is a delegate.');
  const bidRequest =
    options.request === undefined ? PLAIN_REQUEST : await readDocumentFile(options.request, '--request');
  const strategy = options.strategy === undefined ? undefined : await readDocumentFile(options.strategy, '--strategy');
  const { data } = await client.post('/api/demand/sources/{id}/strategy/simulate', {
    params: { path: { id } },
    body: {
      bid_request: bidRequest,
      ...(strategy !== undefined && { strategy: strategy as never }),
      ...(options.publisher !== undefined && { publisher_id: options.publisher }),
    },
  });
  const verdict =
    data.campaign_id === null
      ? data.message
      : `${data.campaign_name} (${data.campaign_id}) bids ${data.bid_cpm} USD CPM. ${data.reason}`;
  const rows = data.conditions_evaluated.flatMap(rowsOf);
  const table = rows.length === 0 ? '' : `\n${tableOf(['campaign', 'of', 'condition', 'holds', 'because'], rows)}`;
  return { json: data, text: `${styled('bold', inOneLine(verdict))}\n${table}` };
}

interface Condition {
  readonly field: string;
  readonly operator: string;
  readonly value: string;
  readonly actual?: unknown;
  readonly matched: boolean;
}

interface CampaignConditions {
  readonly campaign: string;
  readonly matched: boolean;
  readonly reason: string;
  readonly targeting: readonly Condition[];
  readonly rules: readonly { readonly rule_id: string; readonly conditions: readonly Condition[] }[];
}

function rowsOf({ campaign, targeting, rules, reason, matched }: CampaignConditions) {
  return [
    [campaign, '', '', matched ? 'yes' : 'no', reason],
    ...targeting.map((one) => conditionRow('targeting', one)),
    ...rules.flatMap((rule) => rule.conditions.map((one) => conditionRow(rule.rule_id, one))),
  ];
}

function conditionRow(of: string, { field, operator, value, actual, matched }: Condition) {
  const has = actual === null || actual === undefined ? 'nothing is there' : `it is ${JSON.stringify(actual)}`;
  return ['', of, `${field} ${operator} ${value}`, matched ? 'yes' : 'no', has];
}

async function ofBidder(client: ExchangeClient, id: string, options: Options): Promise<Outcome> {
  const { request, strategy, publisher, scenario } = options;
  if (request !== undefined || strategy !== undefined || publisher !== undefined)
    throw new CommandFailed('--request, --strategy and --publisher are for delegates: this one is a bidder.');
  const body = { dsp_id: id, ...(scenario !== undefined && { scenario: scenario as never }) };
  const { data } = await client.post('/api/sandbox/test-bid', { body });
  const { request: _, response_body: answer, ...verdict } = data;
  return { json: data, text: fieldsOf({ ...verdict, bids: bidsOf(answer) }) };
}

/** The bids of an answer, without their markup; the whole answer where it has none. */
function bidsOf(answer: unknown): unknown {
  const seats = (answer as { readonly seatbid?: readonly { readonly bid?: readonly Bid[] }[] } | null)?.seatbid;
  const bids = Array.isArray(seats) ? seats.flatMap(({ bid = [] }) => bid) : [];
  if (bids.length === 0) return answer;
  return bids.map(({ id, price, crid, adomain, w, h }) => ({ id, price, crid, adomain, w, h }));
}

type Bid = Readonly<Record<string, unknown>>;
