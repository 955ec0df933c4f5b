import type { components } from '../../api/generated.d.ts';

export type Pool = components['schemas']['Pool'];
