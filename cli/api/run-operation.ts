import type { ExchangeClient } from '#client/index';
import { CommandFailed, EXIT, type Outcome, type Run } from '../definition.ts';
import { cell, fieldsOf, tableOf } from '../table.ts';
import { inLines, styled } from '../terminal.ts';
import { type CallerOptions, withClient } from './connect.ts';
import type { Field, Operation } from './operation.ts';
import { readDocument } from './read-document.ts';

type Document = Readonly<Record<string, unknown>>;

interface Options extends CallerOptions, Record<string, unknown> {
  readonly data?: string;
  readonly limit?: number;
  readonly field?: string;
  readonly csv?: boolean;
}

interface Answer {
  readonly data: unknown;
}

interface Init {
  readonly params: { readonly path: Record<string, string>; readonly query: Record<string, unknown> };
  readonly body?: Record<string, unknown>;
}

/** The calls of the client without the types of single paths: the table of operations is tested against the API. */
type Call = (path: string, init: object) => Promise<Answer>;

/** What runs the command of an operation. */
export function runOperation(operation: Operation): Run<Options> {
  return async ({ args, options }) => {
    const init = await initOf(operation, args, options);
    return withClient(
      options,
      async (client) => {
        if (options.csv) return showTable(await readTable(client, operation, init));
        if (operation.columns !== undefined)
          return showList(operation.columns, await readList(client, operation, init, options), options);
        const call = client[operation.method] as unknown as Call;
        const { data } = await call(operation.path, init);
        return showOne(data as Document | undefined, operation, options);
      },
      operation.asUser,
    );
  };
}

async function initOf(
  { parameters = [], query = [], body, path }: Operation,
  args: readonly (string | undefined)[],
  options: Options,
): Promise<Init> {
  const inPath: Record<string, string> = {};
  const inBody: Record<string, unknown> = {};
  for (const [at, { name }] of parameters.entries()) {
    const value = args[at];
    if (value === undefined) continue;
    if (path.includes(`{${name}}`)) inPath[name] = value;
    else inBody[name] = value;
  }
  const given = options.data === undefined ? {} : await readDocument(options.data, '--data');
  const document = { ...given, ...valuesOf(body ?? [], options), ...inBody };
  const takesBody = body !== undefined || Object.keys(inBody).length > 0;
  if (body !== undefined && body.length > 0 && Object.keys(document).length === 0)
    throw new CommandFailed('Nothing is given to be written: see --help.', EXIT.misuse, 'NOTHING_GIVEN');
  return { params: { path: inPath, query: valuesOf(query, options) }, ...(takesBody && { body: document }) };
}

/** The values of the options that were given, by their fields. */
function valuesOf(fields: readonly Field[], options: Options): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { field, option } of fields) {
    const [, long] = /--(?:no-)?([\w-]+)/.exec(option.flags)!;
    const value = options[long!.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value !== undefined) values[field] = value;
  }
  return values;
}

/** The table of all pages, the heading once. */
async function readTable(client: ExchangeClient, { path }: Operation, { params }: Init): Promise<string> {
  const read = client.csv as unknown as (path: string, init: object) => Promise<Table>;
  let table = '';
  for (let page = 1; ; page++) {
    const { data, headers } = await read(path, { params: { ...params, query: { ...params.query, page } } });
    table += page === 1 ? data : data.slice(data.indexOf('\n') + 1);
    if (!headers.get('Link')?.includes('rel="next"')) return table;
  }
}

interface Table {
  readonly data: string;
  readonly headers: Headers;
}

interface List {
  /** The name that the API has for the entries. */
  readonly key: string;
  readonly entries: readonly Document[];
}

async function readList(
  client: ExchangeClient,
  { path, mostByDefault }: Operation,
  init: object,
  { limit = mostByDefault }: Options,
): Promise<List> {
  const pages = client.pages as unknown as (path: string, init: object) => AsyncIterable<Answer>;
  const entries: Document[] = [];
  let key = '';
  for await (const { data } of pages(path, init)) {
    const [name, page] = Object.entries(data as Document).find(([, value]) => Array.isArray(value))!;
    key = name;
    entries.push(...(page as Document[]));
    if (limit !== undefined && entries.length >= limit) break;
  }
  return { key, entries: entries.slice(0, limit) };
}

/** A table for spreadsheets: as it is in files and pipes, without what would change a terminal on one. */
export function showTable(table: string): Outcome {
  return { json: { csv: table }, text: process.stdout.isTTY ? inLines(table) : table };
}

function showList(columns: readonly string[], { key, entries }: List, { field }: Options): Outcome {
  if (field !== undefined) {
    const values = entries.map((entry) => valueAt(entry, field));
    return { json: values, text: values.map((value) => `${cell(value)}\n`).join('') };
  }
  const rows = entries.map((entry) => columns.map((column) => valueAt(entry, column)));
  const text =
    entries.length === 0 ? styled('dim', `There are no ${key.replaceAll('_', ' ')}.\n`) : tableOf(columns, rows);
  return { json: { [key]: entries }, text };
}

/** The outcome of a call that answers one document, or nothing. */
export function showOne(
  document: Document | undefined,
  { done = 'Done.' }: Pick<Operation, 'done'>,
  { field }: Pick<Options, 'field'>,
): Outcome {
  if (document === undefined) return { json: {}, text: `${done}\n` };
  if (field === undefined) return { json: document, text: fieldsOf(document) };
  const value = valueAt(document, field);
  return { json: value ?? null, text: textOf(value) };
}

/** The value at a path of names with points between; undefined where there is none. */
function valueAt(document: Document, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Document | null | undefined)?.[name], document);
}

/** The value of one document: a text of several lines, as markup may be, keeps them. */
function textOf(value: unknown): string {
  return `${typeof value === 'string' ? inLines(value) : cell(value)}\n`;
}
