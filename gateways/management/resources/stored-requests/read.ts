import Type from 'typebox';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource, SupplySourceParams } from '../supply-sources/supply-source.ts';
import { loadStored, STORED, StoredDocument, type StoredKind, StoredParams, showStored } from './stored-document.ts';

const updated_at = '2026-03-15T08:00:00.000Z';

export function listStored(kind: StoredKind) {
  const { path, many, operation, example } = STORED[kind];
  return defineRoute({
    method: 'GET',
    path,
    tag: 'Supply',
    operationId: `list${operation}s`,
    summary: `List the ${many} of a supply source, by name`,
    description: 'What clients of Prebid Server refer to. Edges use what is new within seconds.',
    access: 'account',
    params: SupplySourceParams,
    answer: {
      status: 200,
      schema: Type.Object({
        stored: Type.Array(StoredDocument, { description: 'All of them, by name.' }),
        total: Type.Integer(),
      }),
    },
    examples: { answer: { stored: [{ ...example, updated_at }], total: 1 } },
    async handle({ params: { id }, caller, parts }) {
      await loadSupplySource(parts, id, caller);
      const stored = (await loadStored(parts, id, kind)).map(showStored);
      return { stored, total: stored.length };
    },
  });
}

export function readStored(kind: StoredKind) {
  const { path, one, operation, example } = STORED[kind];
  return defineRoute({
    method: 'GET',
    path: `${path}/:stored_name`,
    tag: 'Supply',
    operationId: `get${operation}`,
    summary: `Read a ${one}`,
    description: 'As it was stored.',
    access: 'account',
    params: StoredParams,
    errors: ['NOT_FOUND'],
    answer: { status: 200, schema: StoredDocument },
    examples: { answer: { ...example, updated_at } },
    async handle({ params: { id, stored_name: name }, caller, parts }) {
      await loadSupplySource(parts, id, caller);
      const found = (await loadStored(parts, id, kind)).find((stored) => stored.name === name);
      if (found === undefined) throw new ApiError('NOT_FOUND', `There is no ${one} of this name.`);
      return showStored(found);
    },
  });
}
