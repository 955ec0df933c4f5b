import type { components } from '../../api/generated.d.ts';

export type Publisher = components['schemas']['SupplySource'];
export type Verification = components['schemas']['Verification'];

export const TYPES = [
  { value: 'web', label: 'Website' },
  { value: 'mobile', label: 'Mobile app' },
  { value: 'ctv', label: 'CTV' },
] as const;

export const TYPE_NAMES: Readonly<Record<Publisher['type'], string>> = {
  web: 'Website',
  mobile: 'Mobile app',
  ctv: 'CTV',
};
