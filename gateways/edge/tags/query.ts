import { ApiError } from '../../errors.ts';

/** The query of a tag, read strictly: a parameter that is there must be right. All throw INVALID_PARAMS with the name. */
export class TagQuery {
  readonly #parameters: URLSearchParams;

  constructor(search: string) {
    this.#parameters = new URLSearchParams(search);
  }

  /** Undefined when absent or empty. */
  text(name: string): string | undefined {
    return this.#parameters.get(name) || undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new ApiError('INVALID_PARAMS', `${name} is required.`, name);
    return value;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.required(name);
    if ((allowed as readonly string[]).includes(value)) return value as T;
    throw new ApiError('INVALID_PARAMS', `${name} must be one of ${allowed.join(', ')}.`, name);
  }

  /** A size in pixels, 1 to 10,000. */
  pixels(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const pixels = Number(value);
    if (/^\d{1,5}$/.test(value) && pixels >= 1 && pixels <= 10_000) return pixels;
    throw new ApiError('INVALID_PARAMS', `${name} must be a number of pixels.`, name);
  }

  /** A CPM. Whether a number is an acceptable floor is for the bid request's own check to say. */
  cpm(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
    throw new ApiError('INVALID_PARAMS', `${name} must be a CPM in dollars.`, name);
  }

  flag(name: string): 0 | 1 | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (value === '0' || value === '1') return value === '1' ? 1 : 0;
    throw new ApiError('INVALID_PARAMS', `${name} must be 0 or 1.`, name);
  }

  /** Whole numbers, separated by commas. */
  numbers(name: string): number[] | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (/^\d+(?:,\d+)*$/.test(value)) return value.split(',').map(Number);
    throw new ApiError('INVALID_PARAMS', `${name} must be numbers separated by commas.`, name);
  }
}
