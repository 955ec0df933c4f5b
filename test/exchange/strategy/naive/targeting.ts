import { countryOf } from '#exchange/strategy/countries';
import { deviceTypesOf } from '#exchange/strategy/devices';
import type { Targeting } from '#exchange/strategy/document/campaign';
import type { ConditionExplained } from '#exchange/strategy/index/explain-campaigns';
import type { TargetingContext } from '#exchange/strategy/read-field';
import { DAYS, localTime, parseDays, parseHours, type TimeWindow } from '#exchange/strategy/schedule';
import { shown } from './condition.ts';
import { readField } from './read-field.ts';

/** Each demand of a campaign's targeting as it was judged; all must hold. Empty lists demand nothing. */
export function explainTargeting(targeting: Targeting, view: TargetingContext, nowMs: number): ConditionExplained[] {
  const { countries = [], devices = [], genres = [] } = targeting;
  const explained: ConditionExplained[] = [];
  const demand = (field: string, entries: readonly string[], isOneOf: (actual: unknown) => boolean) => {
    if (entries.length === 0) return;
    const values = readField(view, field);
    const matched = values.some(isOneOf);
    explained.push({ field, operator: 'in', value: entries.join(','), actual: shown(values), matched });
  };

  const wantedCountries = new Set(countries.map(countryOf));
  demand('geo.country', countries, (actual) => {
    const country = typeof actual === 'string' ? countryOf(actual) : null;
    return country !== null && wantedCountries.has(country);
  });
  const wantedTypes = new Set(devices.flatMap((device) => deviceTypesOf(device) ?? []));
  demand('device.devicetype', devices, (actual) => wantedTypes.has(actual as number));
  const wantedGenres = new Set(genres.map((genre) => genre.trim().toLowerCase()));
  demand('content.genre', genres, (actual) => wantedGenres.has(String(actual).toLowerCase()));
  return [...explained, ...explainTime(targeting, nowMs)];
}

/** Hours and days, each as it was judged on the clock of the time zone. */
export function explainTime({ hours, days, timezone = 'UTC' }: TimeWindow, nowMs: number): ConditionExplained[] {
  if (hours === undefined && days === undefined) return [];
  const { hour, day } = localTime(nowMs, timezone);
  const explained: ConditionExplained[] = [];
  if (hours !== undefined) {
    const matched = parseHours(hours)?.has(hour) ?? false;
    explained.push({ field: 'hour', operator: 'in', value: String(hours), actual: hour, matched });
  }
  if (days !== undefined) {
    const matched = parseDays(days)?.has(day) ?? false;
    explained.push({ field: 'day', operator: 'in', value: String(days), actual: DAYS[day], matched });
  }
  return explained;
}
