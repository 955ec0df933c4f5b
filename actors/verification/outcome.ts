import Type, { type Static } from 'typebox';

const NullableText = Type.Union([Type.String(), Type.Null()]);

/** The reasons why a source is not verified. */
export const VerificationFailure = Type.Enum([
  'no_domain',
  'file_not_found',
  'wrong_content_type',
  'file_too_large',
  'redirect_out_of_scope',
  'exchange_not_listed',
  'seller_id_not_listed',
  'unreachable',
]);
export type VerificationFailure = Static<typeof VerificationFailure>;

/** The outcome of one check of a source's file. */
export const VerificationOutcome = Type.Union([
  Type.Object({
    kind: Type.Literal('verified'),
    domain: Type.String(),
    fileUrl: Type.String(),
    relationship: Type.Enum(['DIRECT', 'RESELLER']),
    certificationId: NullableText,
    ownerDomain: NullableText,
    managerDomains: Type.Array(Type.String(), { maxItems: 20 }),
    warnings: Type.Array(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('failed'),
    domain: NullableText,
    fileUrl: NullableText,
    reason: VerificationFailure,
  }),
  /** The check found out nothing: the outcome of the last one stays. */
  Type.Object({
    kind: Type.Literal('unavailable'),
    domain: NullableText,
    fileUrl: NullableText,
    error: Type.String({ maxLength: 300 }),
  }),
]);
export type VerificationOutcome = Static<typeof VerificationOutcome>;

/** The reasons as sentences. */
export const failureMessages: Readonly<Record<VerificationFailure, string>> = {
  no_domain: 'It is not known whose file to read: a web source needs a web domain, an app its developer_domain.',
  file_not_found: 'There is no such file.',
  wrong_content_type: 'The file is not served as text/plain.',
  file_too_large: 'The file is too large to be read.',
  redirect_out_of_scope: 'The file is redirected further than the standard allows.',
  exchange_not_listed: 'The file does not name this exchange.',
  seller_id_not_listed: "The file names this exchange, but not with this source's id.",
  unreachable: 'The file could not be read for seven days.',
};
