import type { Context } from 'koa';
import type { TObject } from 'typebox';
import Type from 'typebox';
import { identifyCaller } from '../identity/caller.ts';
import { identifyRequest } from '../identity/request-identity.ts';
import type { ManagementParts } from '../parts.ts';
import { bodyCheck, paramsCheck, queryCheck, readQuery } from './check-input.ts';
import { bodyReader } from './read-body.ts';
import type { AnyRoute } from './route.ts';

const nothing = Type.Object({});

/** Serves a declared route: who asks, then the path, the query and the body, then the handler. */
export function serveRoute(route: AnyRoute, parts: ManagementParts): (ctx: Context) => Promise<void> {
  const querySchema: TObject = route.query ?? nothing;
  const checkParams = paramsCheck(route.params ?? nothing);
  const checkQuery = queryCheck(querySchema);
  const checkBody = bodyCheck(route.body ?? nothing);
  const readBody = bodyReader(parts.settings.bodyLimitBytes);

  return async (ctx) => {
    const caller = route.access === 'public' ? null : await identifyCaller(ctx, parts);
    const { params } = ctx as unknown as { params: Record<string, string> };
    checkParams(params);
    const query = readQuery(querySchema, ctx.query);
    checkQuery(query);
    const body = route.body === undefined ? {} : await readBody(ctx);
    checkBody(body);
    const identity = identifyRequest(
      {
        idempotencyKey: ctx.get('Idempotency-Key'),
        accountId: caller?.accountId ?? '',
        method: route.method,
        path: ctx.path,
        body,
      },
      parts.random,
    );
    const answer = await route.handle({ params, query, body, caller, identity, parts });
    ctx.status = route.answer.status;
    if (route.answer.headers !== undefined) ctx.set({ ...route.answer.headers });
    ctx.body = answer;
  };
}
