import { LONGEST_STORED, MOST_STORED, MOST_STORED_CHARACTERS } from '#actors/stored-requests/reduce';
import { storedRequests } from '#actors/stored-requests/stored-requests';
import { isWithinDepth } from '#exchange/openrtb/shape';
import { ApiError } from '#gateways/errors';
import { defineRoute } from '../../routing/route.ts';
import { loadSupplySource } from '../supply-sources/supply-source.ts';
import {
  Document,
  loadStored,
  STORED,
  StoredDocument,
  type StoredKind,
  StoredParams,
  showStored,
} from './stored-document.ts';

/** Levels of nesting: deeper ones would make each request that names the document deeper than requests may be. */
const MOST_LEVELS = 32;

const updated_at = '2026-03-15T08:00:00.000Z';

export function putStored(kind: StoredKind) {
  const { path, one, operation, example } = STORED[kind];
  return defineRoute({
    method: 'PUT',
    path: `${path}/:stored_name`,
    tag: 'Supply',
    operationId: `put${operation}`,
    summary: `Store a ${one} under a name, in place of the former one`,
    description: `The request or imp that names it is merged over it (RFC 7396): objects field by field, lists whole. Whoever knows the name can read it from an auction with \`debug\`: it is no place for secrets. At most ${LONGEST_STORED} characters of JSON; a supply source stores at most ${MOST_STORED} documents, together at most ${MOST_STORED_CHARACTERS} characters. Edges use it within seconds.`,
    access: 'account',
    params: StoredParams,
    body: Document,
    errors: ['QUOTA_EXCEEDED', 'PAYLOAD_TOO_LARGE'],
    answer: { status: 200, schema: StoredDocument },
    examples: { body: example.document, answer: { ...example, updated_at } },
    async handle({ params: { id, stored_name: name }, body, caller, identity, parts }) {
      const { accountId, partnerId, sandbox } = await loadSupplySource(parts, id, caller);
      if (JSON.stringify(body).length > LONGEST_STORED)
        throw new ApiError('PAYLOAD_TOO_LARGE', `A ${one} has at most ${LONGEST_STORED} characters of JSON.`);
      if (!isWithinDepth(body, MOST_LEVELS))
        throw new ApiError('VALIDATION_ERROR', `A ${one} nests at most ${MOST_LEVELS} levels.`);
      const owner = { accountId, partnerId, sandbox };
      const { stored } = await parts.messenger.ask(
        storedRequests,
        id,
        'put',
        { scope: caller.scope, owner, kind, name, document: body as Record<string, unknown> },
        { requestId: identity.askId() },
      );
      return showStored(stored);
    },
  });
}

export function removeStored(kind: StoredKind) {
  const { path, one, operation, example } = STORED[kind];
  return defineRoute({
    method: 'DELETE',
    path: `${path}/:stored_name`,
    tag: 'Supply',
    operationId: `delete${operation}`,
    summary: `Delete a ${one}; answers what it was`,
    description: 'Requests that name it are refused from then on, within seconds.',
    access: 'account',
    params: StoredParams,
    errors: ['NOT_FOUND'],
    answer: { status: 200, schema: StoredDocument },
    examples: { answer: { ...example, updated_at } },
    async handle({ params: { id, stored_name: name }, caller, identity, parts }) {
      await loadSupplySource(parts, id, caller);
      const found = (await loadStored(parts, id, kind)).find((stored) => stored.name === name);
      if (found === undefined) throw new ApiError('NOT_FOUND', `There is no ${one} of this name.`);
      const { scope } = caller;
      await parts.messenger.ask(storedRequests, id, 'remove', { scope, kind, name }, { requestId: identity.askId() });
      return showStored(found);
    },
  });
}
