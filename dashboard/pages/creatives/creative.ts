import type { components } from '../../api/generated.d.ts';

export type Listed = components['schemas']['CreativeListed'];
/** As an account reads it. */
export type Reviewed = components['schemas']['ReviewedCreative'];
/** What every reader reads; `Reviewed` has more. */
export type Seen = components['schemas']['SourceCreative'];
export type Standing = components['schemas']['CreativeStanding'];
export type Rule = components['schemas']['CreativeRule'];
export type ScopeKind = Standing['scope'];
export type Mode = Standing['mode'];
export type By = 'creative' | 'fingerprint' | 'advertiser' | 'demand_source';

/** Whose ads a decision is about. */
export interface Scope {
  readonly kind: ScopeKind;
  /** '' for the exchange, and for the reader's own account. */
  readonly id: string;
}

/** As people call it: by its `crid`, or by the beginning of its id where the bid gave none. */
export function titleOf({ crid, id }: Pick<Listed, 'crid' | 'id'>): string {
  return crid === '' ? `Creative ${id.slice(0, 8)}` : crid;
}

interface Option<V extends string> {
  readonly value: V;
  readonly label: string;
}

export const FORMATS: readonly Option<Listed['formats'][number]>[] = [
  { value: 'banner', label: 'Banner' },
  { value: 'video', label: 'Video' },
  { value: 'audio', label: 'Audio' },
  { value: 'native', label: 'Native' },
];

export function formatsOf({ formats, sizes }: Pick<Listed, 'formats' | 'sizes'>): string {
  const names = formats.map((format) => FORMATS.find(({ value }) => value === format)?.label ?? format);
  return [names.join(', '), ...sizes.slice(0, 2)].join(' ').trim();
}

/** What is asked for on the page of all creatives. */
export interface CreativeFilters extends Record<string, string> {
  q: string;
  dsp: string;
  publisher: string;
  format: string;
  scan: string;
  hosting: string;
  decision: string;
}

export const ALL: CreativeFilters = {
  q: '',
  dsp: '',
  publisher: '',
  format: '',
  scan: '',
  hosting: '',
  decision: '',
};

const NAMES: Readonly<Record<string, string>> = {
  q: 'q',
  dsp: 'dsp_id',
  publisher: 'publisher_id',
  format: 'format',
  scan: 'scan_status',
  hosting: 'hosting_status',
  decision: 'decision',
};

/** As the API takes it: what is not asked for is not said. */
export function queryOf(filters: CreativeFilters): Record<string, string> {
  return Object.fromEntries(
    Object.entries(NAMES).flatMap(([name, called]) => {
      const value = filters[name] ?? '';
      return value === '' ? [] : [[called, value]];
    }),
  );
}
