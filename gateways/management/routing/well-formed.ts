import { ApiError } from '../../errors.ts';

/** A lone surrogate: JSON can write it, UTF-8 cannot (RFC 8259 §8.2), so no stored text may hold it. */
const loneSurrogate = /\p{Surrogate}/u;

/** The bound of nesting, equal to that of OpenRTB documents; later code handles bodies by recursion. */
const maxDepth = 64;

/**
 * Throws VALIDATION_ERROR when a text or a field's name within `body` holds a lone surrogate, or when the body is
 * nested too deeply, and INVALID_JSON when a field is named `__proto__`.
 */
export function assertWellFormed(body: unknown): void {
  // The loop avoids recursion, since a body may be nested more deeply than the stack allows.
  const pending: { readonly value: unknown; readonly path: string; readonly depth: number }[] = [
    { value: body, path: '', depth: 0 },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string' && loneSurrogate.test(value)) {
      throw new ApiError('VALIDATION_ERROR', `${path} holds half of a character.`, path);
    }
    if (typeof value !== 'object' || value === null) continue;
    if (depth > maxDepth) throw new ApiError('VALIDATION_ERROR', `The body nests deeper than ${maxDepth} levels.`);
    for (const [name, within] of Object.entries(value)) {
      // Such a field would become the prototype of a copy.
      if (name === '__proto__') throw new ApiError('INVALID_JSON');
      if (loneSurrogate.test(name)) throw new ApiError('VALIDATION_ERROR', "A field's name holds half of a character.");
      const step = Array.isArray(value) ? `[${name}]` : path === '' ? name : `.${name}`;
      pending.push({ value: within, path: path + step, depth: depth + 1 });
    }
  }
}
