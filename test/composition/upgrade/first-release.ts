import { readFileSync } from 'node:fs';
import { pino } from 'pino';
import { actorKinds } from '../../../composition/actor-kinds.ts';
import { openProviders } from '../../../composition/open-providers.ts';
import type { ActorDocument } from '../../../runtime/ports/store.ts';
import { readSettings } from '../../../settings.ts';

/**
 * What release 0.1.0 left behind when it was killed under traffic: its documents as they were stored, some with messages
 * that nobody has published again, tallies whose totals nobody has confirmed, and impressions that nobody has read.
 */
export interface Leftovers {
  readonly ids: Readonly<Record<'pool' | 'site' | 'gone' | 'dsp' | 'delegate', string>> & { readonly late: string[] };
  /** How many pixels were answered, all of them at a CPM of 3.217 where live. */
  readonly impressions: { readonly live: number; readonly sandbox: number };
  readonly documents: readonly ActorDocument[];
  readonly unread: readonly { readonly partition: number; readonly payload: string }[];
}

/** The settings that it ran with. */
export const firstRelease = {
  PARTITIONS: '8',
  SECRET_KEY: 'the secret key of the first release of all',
  BOOTSTRAP_API_KEY: 'pk_live_of_the_first_release',
  BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of_the_first_release',
} as const;

const DAY_MS = 86_400_000;

/** As if it had run yesterday, at the same time of day. */
export function leftYesterday(): Leftovers {
  const text = readFileSync(new URL('first-release.json', import.meta.url), 'utf8');
  const { day } = JSON.parse(text) as { day: string };
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  const laterMs = Date.parse(yesterday) - Date.parse(day);
  const moved = text
    .replaceAll(day, yesterday)
    .replace(/(?<![\w-])1[67]\d{11}(?!\d)/g, (atMs) => String(Number(atMs) + laterMs));
  return JSON.parse(moved);
}

/** Puts it where an exchange of these settings will find it. */
export async function leaveBehind(
  { documents, unread = [] }: Pick<Leftovers, 'documents'> & Partial<Pick<Leftovers, 'unread'>>,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const { log, store, close } = await openProviders(readSettings(environment), pino({ level: 'silent' }));
  await store.prepare(actorKinds.map(({ kind, indexes = [] }) => ({ kind, indexes })));
  const outcomes = await store.save(documents.map((document) => ({ ...document, version: 1 })));
  if (outcomes.some((outcome) => outcome !== 'saved')) throw new Error('the documents were not saved');
  for (const { partition, payload } of unread) await log.log.append(partition, [payload]);
  await close();
}
