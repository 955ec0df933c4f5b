import type { Context } from 'koa';
import type { TObject } from 'typebox';
import Type from 'typebox';
import { readCookie } from '#edge/viewer/read-cookie';
import { SchemaValidator } from '#runtime/schema-validator';
import { ApiError } from '../../errors.ts';
import { rateLimitAddress } from '../../http/caller-address.ts';
import { auditedMessenger, isAudited, requesterOf, writeAuditEntry } from '../audit-trail/audited-messenger.ts';
import type { ManagementDeps } from '../deps.ts';
import { authorize } from '../identity/authorize.ts';
import type { Caller, Identity, Login, SourceCaller } from '../identity/caller.ts';
import { deriveRequestIds } from '../identity/request-ids.ts';
import { writeDeviceCookie, writeSessionCookie } from '../identity/session-cookie.ts';
import { isAlwaysPaged, isPaged, listHeaders } from '../lists/list-headers.ts';
import { bodyCheck, paramsCheck, queryCheck, readQuery } from './check-input.ts';
import { type FileAnswer, writeFileAnswer } from './file-answer.ts';
import { readIfMatch, writeEtag } from './preconditions.ts';
import { bodyReader } from './read-body.ts';
import type { AnyRoute } from './route.ts';
import { unknownParametersWarning } from './unknown-parameters.ts';
import { writeAnswer } from './write-answer.ts';

const nothing = Type.Object({});

/** Serves a declared route: it checks the caller, then the path, the query and the body, and then calls the handler. */
export function serveRoute(route: AnyRoute, deps: ManagementDeps): (ctx: Context) => Promise<void> {
  const querySchema: TObject = route.query ?? nothing;
  const checkParams = paramsCheck(route.params ?? nothing);
  const checkQuery = queryCheck(querySchema);
  const checkBody = route.bodyCheck === 'by-handler' ? () => {} : bodyCheck(route.body ?? nothing);
  const readBody = bodyReader(route.bodyLimitBytes ?? deps.settings.bodyLimitBytes);
  const checkAnswer = deps.settings.checkAnswers ? answerCheck(route) : null;

  const { trustProxyHops, publicBaseUrl: publicUrl } = deps.settings;
  const traced = isAudited(route);
  const list = isPaged(route);
  const counted = rateLimitAddress({ trustProxyHops, publicUrl });

  return async (ctx) => {
    const admitted = authorize(route.access, ctx.state.identity as Identity);
    const caller = admitted.caller === null ? null : inContext(route, admitted.caller);
    const { params } = ctx as unknown as { params: Record<string, string> };
    checkParams(params);
    const warning = unknownParametersWarning(querySchema, ctx.query);
    if (warning !== null) ctx.set('Warning', warning);
    const query = readQuery(querySchema, ctx.query);
    checkQuery(query);
    const expecting = route.revised ? readIfMatch(ctx) : undefined;
    const body = route.body === undefined ? {} : await readBody(ctx);
    checkBody(body);
    const idempotencyKey = ctx.get('Idempotency-Key');
    const requester = caller ?? admitted.login ?? loginOfSource(admitted.source);
    const whose = caller ?? (requester && { ...requester, partnerId: null, sandbox: false });
    const request = { idempotencyKey, caller: whose, method: route.method, path: ctx.path, query, body, expecting };
    const identity = deriveRequestIds(request, deps);
    const by =
      requester !== null && traced ? requesterOf(route, requester, ctx.state.requestId as string, ctx.ip) : null;
    let total: number | null = null;
    const answer = await route.handle({
      params,
      query,
      body,
      caller: caller ?? admitted.login,
      source: admitted.source,
      identity,
      expecting,
      revision: (revision, ...uncounted) => writeEtag(ctx, revision, uncounted),
      listed: (count) => {
        total = count;
      },
      header: (name, value) => ctx.set(name, value),
      request: {
        address: ctx.ip,
        method: ctx.method,
        header: (name) => ctx.get(name),
        countedAddress: counted({ address: ctx.ip, forwardedFor: ctx.get('X-Forwarded-For') }),
        cookie: (name) => readCookie(ctx.get('Cookie'), name),
        giveDevice: (cookie) => writeDeviceCookie(ctx, cookie, deps.settings),
        giveSession: (token) => writeSessionCookie(ctx, token, deps.settings),
      },
      byUser: (userId, accountId) =>
        requesterOf(route, { accountId, by: { kind: 'session', userId } }, ctx.state.requestId as string, ctx.ip),
      record: async (entry) => {
        if (by === null) throw new Error(`${route.method} ${route.path} leaves no trail`);
        await writeAuditEntry(deps, by, entry);
      },
      parts: by === null ? deps : { ...deps, messenger: auditedMessenger(deps.messenger, by) },
    });
    if (route.answer.file !== undefined) return writeFileAnswer(ctx, route.answer.file, answer as FileAnswer);
    checkAnswer?.(answer);
    if (list) {
      const context = ctx.query.sandbox === undefined ? {} : { sandbox: caller?.sandbox === true };
      const known = {
        url: `${publicUrl}${ctx.path}`,
        query: { ...query, ...context },
        answer: answer as object,
        total,
      };
      ctx.set({ ...listHeaders({ ...known, paged: isAlwaysPaged(route) }) });
    }
    writeAnswer(ctx, route, answer);
  };
}

/**
 * The login of a user who changes something for a source: only sessions of the source's own people may call such
 * routes.
 */
function loginOfSource(source: SourceCaller | null): Login | null {
  return source?.by.kind === 'session' ? { accountId: source.accountId, by: source.by } : null;
}

/**
 * The caller in the context of this route: with the partner that the route requires, and in the sandbox for sandbox
 * routes.
 */
function inContext(route: AnyRoute, caller: Caller): Caller {
  if (route.partner === 'required' && caller.partnerId === null) {
    throw new ApiError('FORBIDDEN', 'X-User-Partner-ID is required here.');
  }
  if (route.sandbox !== 'always' || caller.sandbox) return caller;
  return { ...caller, sandbox: true, scope: { ...caller.scope, sandboxOnly: true } };
}

/** Checks answers in tests: an answer that does not match its own schema is an internal failure. */
function answerCheck(route: AnyRoute): (answer: unknown) => void {
  const validator = new SchemaValidator(route.answer.schema);
  return (answer) => {
    if (validator.check(answer)) return;
    const [error] = validator.errors(answer);
    throw new Error(`${route.method} ${route.path} answers ${error?.instancePath} that ${error?.message}`);
  };
}
