import Type, { type Static } from 'typebox';
import { Timestamp } from '#actors/api-schemas';
import { ApiError } from '#gateways/errors';
import { HOUR_MS } from '#gateways/log-level-data/hour';
import type { Side } from '#gateways/log-level-data/layout';
import { EVENTS } from '#gateways/log-level-data/layout';
import type { SourceHour } from '#gateways/log-level-data/log-level-reader';
import type { StatedSums } from '#gateways/log-level-data/manifest';
import type { ManagementDeps } from '../../deps.ts';
import { readable } from './readable.ts';

/** The hours that one answer spans at most: a week. */
const MOST_HOURS = 168;
const DEFAULT_HOURS = 24;

const Sums = Type.Object(
  {
    impressions: Type.Integer({ description: 'Billed impressions.' }),
    price_nanos: Type.String({
      description: 'Whole nano-dollars, in decimal: gross of a publisher, spend of a buyer.',
    }),
    fee_nanos: Type.Optional(Type.String({ description: "Of publishers: the exchange's fee." })),
    payout_nanos: Type.Optional(Type.String({ description: 'Of publishers: the rest.' })),
  },
  { title: 'LogLevelSums', description: 'Sums of the rows (`logged`), and of the ledger, which is billed (`ledger`).' },
);

const LogLevelFile = Type.Object(
  {
    event: Type.Enum([...EVENTS], { description: 'What its rows are.' }),
    file: Type.String({ description: 'Its name without a folder.' }),
    path: Type.String({ description: 'Its name below the destination.' }),
    url: Type.String({ format: 'uri', description: 'Where it is downloaded, with the credentials of this call.' }),
    rows: Type.Integer({ description: 'How many it has.' }),
    bytes: Type.Integer({ description: 'Compressed.' }),
    sha256: Type.String({ description: 'Of the compressed bytes, hexadecimal.' }),
  },
  { title: 'LogLevelFile' },
);

/** The answer of a list of hours. */
export const LogLevelHours = Type.Object({
  enabled: Type.Boolean({
    description: 'Whether log-level data are written at all. Where they are not, no hour is listed.',
  }),
  from: Type.String({ ...Timestamp, description: 'Hours that begin at or after it are listed.' }),
  to: Type.String({ ...Timestamp, description: 'Hours that begin before it are listed.' }),
  hours: Type.Array(
    Type.Object(
      {
        hour: Type.String({ ...Timestamp, description: 'Its beginning.' }),
        complete: Type.Boolean({
          description: 'Whether the rows are the money of the ledger, to the nano-dollar. If not, both sums differ.',
        }),
        logged: Sums,
        ledger: Sums,
        files: Type.Array(LogLevelFile, { description: 'Of the source in this hour.' }),
      },
      { title: 'LogLevelHour' },
    ),
    { description: 'The hours that are written, the oldest first. One in which the source had nothing has no files.' },
  ),
});

export const HoursQuery = Type.Object({
  from: Type.Optional(Type.String({ ...Timestamp, description: `By default ${DEFAULT_HOURS} hours before \`to\`.` })),
  to: Type.Optional(Type.String({ ...Timestamp, description: 'By default now.' })),
});

export const hoursDescription = `The hours of [log-level data](log-level-data.md) that are written and begin from \`from\` on, before \`to\`: at most ${MOST_HOURS} hours apart. An hour is written some minutes after its end, whole or not at all, and is not changed then; one that is not listed yet may be later. Nothing of the sandbox is in any file, so in its context no hour is listed.`;

export const hoursExample = {
  enabled: true,
  from: '2026-03-14T12:00:00.000Z',
  to: '2026-03-14T13:00:00.000Z',
  hours: [
    {
      hour: '2026-03-14T12:00:00.000Z',
      complete: true,
      logged: { impressions: 1000, price_nanos: '2500000000', fee_nanos: '375000000', payout_nanos: '2125000000' },
      ledger: { impressions: 1000, price_nanos: '2500000000', fee_nanos: '375000000', payout_nanos: '2125000000' },
      files: [
        {
          event: 'impressions',
          file: 'part-00000.ndjson.gz',
          path: 'log-level/v1/impressions/dt=2026-03-14/hour=12/publisher=00000000-0000-4000-8000-00000000000a/part-00000.ndjson.gz',
          url: 'https://api.exchange.example/api/source/log-level-data/files/impressions/2026-03-14T12/part-00000.ndjson.gz',
          rows: 1000,
          bytes: 81234,
          sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        },
      ],
    },
  ],
} as const satisfies Static<typeof LogLevelHours>;

/** The source whose data are read, and in which context. */
export interface LogLevelSource {
  readonly side: Side;
  readonly id: string;
  /** Whether the call sees the sandbox alone, of which there are no files. */
  readonly sandboxOnly: boolean;
}

/**
 * Lists the written hours of a source. `listPath` is the path of the list, below which its files are downloaded.
 *
 * @throws ApiError INVALID_PARAMS for a range that is none or too long, SERVICE_UNAVAILABLE when the destination fails
 */
export async function listHours(
  { logLevelData, clock, settings, logger }: ManagementDeps,
  { side, id, sandboxOnly }: LogLevelSource,
  query: Static<typeof HoursQuery>,
  listPath: string,
): Promise<Static<typeof LogLevelHours>> {
  const toMs = query.to === undefined ? clock.now() : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - DEFAULT_HOURS * HOUR_MS : Date.parse(query.from);
  if (fromMs >= toMs) throw new ApiError('INVALID_PARAMS', 'from must be before to.', 'from');
  if (toMs - fromMs > MOST_HOURS * HOUR_MS)
    throw new ApiError('INVALID_PARAMS', `from and to are at most ${MOST_HOURS} hours apart.`, 'from');
  const none = logLevelData === null || sandboxOnly;
  const hours = none ? [] : await readable(logger, () => logLevelData.hours(side, id, fromMs, toMs));
  const base = `${settings.publicBaseUrl}${listPath}/files`;
  return {
    enabled: logLevelData !== null,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    hours: hours.map((one) => showHour(side, one, base)),
  };
}

function showHour(side: Side, { hour, manifest }: SourceHour, base: string) {
  const { complete, logged, ledger, files } = manifest ?? {
    ...{ complete: true, logged: nothing(side), ledger: nothing(side), files: [] },
  };
  return {
    hour: new Date(hour.startMs).toISOString(),
    ...{ complete, logged, ledger },
    files: files.map(({ event, file, path, rows, bytes, sha256 }) => {
      const url = `${base}/${event}/${hour.day}T${hour.hour}/${file}`;
      return { event, file, path, url, rows, bytes, sha256 };
    }),
  };
}

function nothing(side: Side): StatedSums {
  const sums = { impressions: 0, price_nanos: '0' };
  return side === 'dsp' ? sums : { ...sums, fee_nanos: '0', payout_nanos: '0' };
}
