import { type CallerOptions, withClient } from '../api/connect.ts';
import { showTable } from '../api/run-operation.ts';
import type { Run } from '../definition.ts';
import { ofEitherSide } from '../either-side.ts';
import { fieldsOf } from '../table.ts';

interface Options extends CallerOptions {
  readonly month?: string;
  readonly csv?: boolean;
}

const BILLING = {
  ofPublisher: '/api/supply/sources/{id}/billing',
  ofDemand: '/api/demand/sources/{id}/billing',
} as const;

export const run: Run<Options> = ({ args, options: { month, csv, ...caller } }) =>
  withClient(caller, async (client) => {
    const init = { params: { path: { id: args[0]! }, query: month === undefined ? {} : { month } } };
    if (csv) {
      const { data: table } = await ofEitherSide(BILLING, (path) => client.csv(path, init));
      return showTable(table);
    }
    const { data } = await ofEitherSide<string, string, { data: object }>(BILLING, (path) =>
      client.get(path as typeof BILLING.ofPublisher, init),
    );
    return { json: data, text: fieldsOf({ ...data }) };
  });
