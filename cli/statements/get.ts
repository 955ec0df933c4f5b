import { ExchangeError } from '#client/index';
import { type CallerOptions, withClient } from '../api/connect.ts';
import type { Run } from '../definition.ts';
import { fieldsOf } from '../table.ts';

interface Options extends CallerOptions {
  readonly month?: string;
  readonly csv?: boolean;
}

const OF_PUBLISHER = '/api/supply/sources/{id}/billing';
const OF_DEMAND = '/api/demand/sources/{id}/billing';

export const run: Run<Options> = ({ args, options: { month, csv, ...caller } }) =>
  withClient(caller, async (client) => {
    const init = { params: { path: { id: args[0]! }, query: month === undefined ? {} : { month } } };
    if (csv) {
      const { data: table } = await ofEither((path) => client.csv(path, init));
      return { json: { csv: table }, text: table };
    }
    const { data } = await ofEither<{ data: object }>((path) => client.get(path, init));
    return { json: data, text: fieldsOf({ ...data }) };
  });

/** An id does not say whose it is: it is looked for among publishers, then among demand sources. */
async function ofEither<T>(read: (path: typeof OF_PUBLISHER | typeof OF_DEMAND) => Promise<T>): Promise<T> {
  try {
    return await read(OF_PUBLISHER);
  } catch (error) {
    if (!(error instanceof ExchangeError && error.code === 'NOT_FOUND')) throw error;
    return read(OF_DEMAND);
  }
}
