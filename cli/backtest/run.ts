import { type CallerOptions, withClient } from '../api/connect.ts';
import { readDocumentFile } from '../api/read-document.ts';
import type { Run } from '../definition.ts';
import { fieldsOf } from '../table.ts';

interface Options extends CallerOptions {
  readonly from?: string;
  readonly to?: string;
}

export const run: Run<Options> = ({ args: [id, file], options: { from, to, ...caller } }) =>
  withClient(caller, async (client) => {
    const strategy = file === undefined ? undefined : await readDocumentFile(file, 'the strategy');
    const { data } = await client.post('/api/demand/sources/{id}/strategy/backtest', {
      params: { path: { id: id! } },
      body: {
        ...(strategy !== undefined && { strategy: strategy as never }),
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
      },
      timeoutMs: BACKTEST_MS,
    });
    return { json: data, text: fieldsOf(data) };
  });

/** It holds up to so many auctions again that it may take minutes. */
const BACKTEST_MS = 300_000;
