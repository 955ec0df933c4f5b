import type { Standing } from '../creative.ts';
import { SCOPE_WORDS } from '../creative-words.ts';

/** `Supply source Harbour News`; the exchange is called so. */
export function scopeName({ scope, scope_name: name }: Pick<Standing, 'scope' | 'scope_name'>): string {
  return scope === 'exchange' ? 'Whole exchange' : `${SCOPE_WORDS[scope]} ${name}`;
}
