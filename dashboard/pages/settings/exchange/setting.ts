import type { AnswerBody } from '../../../api/queries.ts';

export type Setting = AnswerBody<'get', '/api/exchange/settings'>['settings'][number];

export interface SettingGroup {
  readonly title: string;
  readonly settings: readonly Setting[];
}

const GROUPS: readonly { readonly title: string; readonly names: readonly string[] }[] = [
  {
    title: 'Names and addresses',
    names: ['PUBLIC_BASE_URL', 'PUBLIC_EDGE_URL', 'PUBLIC_CREATIVES_URL', 'EXCHANGE_DOMAIN', 'SELLERS_CONTACT_EMAIL'],
  },
  { title: 'Who may call', names: ['CORS_ORIGINS', 'SESSION_LIFETIME_DAYS', 'ANONYMOUS_REQUESTS_PER_MINUTE'] },
  { title: 'Safety', names: ['ALLOW_PRIVATE_NETWORKS', 'HTTPS_CREATIVES_ONLY', 'TRUST_PROXY_HOPS'] },
  { title: 'The process', names: ['REGION', 'DASHBOARD', 'ACCESS_LOG'] },
];

/** The settings whose name, value or meaning holds `text`, by subject; those of no known subject come last. */
export function groupSettings(settings: readonly Setting[], text: string): readonly SettingGroup[] {
  const wanted = text.trim().toLowerCase();
  const found = settings.filter(({ name, value, meaning }) =>
    [name, value ?? '', meaning].some((part) => part.toLowerCase().includes(wanted)),
  );
  const known = new Set(GROUPS.flatMap(({ names }) => names));
  const groups = GROUPS.map(({ title, names }) => ({
    title,
    settings: names.flatMap((name) => found.filter((setting) => setting.name === name)),
  }));
  const others = { title: 'Others', settings: found.filter(({ name }) => !known.has(name)) };
  return [...groups, others].filter(({ settings: those }) => those.length > 0);
}
