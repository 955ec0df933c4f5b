import { isIP } from 'node:net';
import { ApiError } from '../../errors.ts';
import { pixelsOf, sizeOf } from './sizes.ts';

const LONGEST_TEXT = 2_000;
const MOST = 999_999_999;

/**
 * A macro that a player, an ad server or an app should have filled in and did not: `[GDPR]`, `${GDPR}`, `%%GDPR%%`, …
 */
const UNFILLED = /^(?:\$\{\w+\}|\[\w+\]|%%\w+%%|\{\{?\w+\}?\}|__\w+__|\$\$\w+\$\$)$/;

/**
 * The query of a tag, read strictly: a present parameter must be valid. All methods throw INVALID_PARAMS with the
 * parameter's name. Unknown parameters are ignored: players add cache busters and macros of their own. A parameter
 * whose macro was not filled in, or filled with unknown or withheld, counts as absent.
 */
export class TagQuery {
  readonly #parameters: URLSearchParams;

  constructor(search: string) {
    this.#parameters = new URLSearchParams(search);
  }

  /** Undefined when absent or empty. */
  text(name: string): string | undefined {
    const value = this.#stated(name);
    return value !== undefined && isUntold(value) ? undefined : value;
  }

  /** A signal that another party writes, of any length: a consent string. */
  signal(name: string): string | undefined {
    const value = this.#filled(name);
    return value !== undefined && isUntold(value) ? undefined : value;
  }

  /** The raw value, unfilled macros included. Undefined when absent or empty. */
  raw(name: string): string | undefined {
    return this.#parameters.get(name) || undefined;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw new ApiError('INVALID_PARAMS', `${name} is required.`, name);
    return value;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T | undefined {
    const value = this.text(name);
    if (value === undefined || isOneOf(value, allowed)) return value;
    throw new ApiError('INVALID_PARAMS', `${name} must be one of ${allowed.join(', ')}.`, name);
  }

  /** Values separated by commas, each one of `allowed`. */
  someOf<T extends string>(name: string, allowed: readonly T[]): T[] | undefined {
    const values = this.texts(name);
    if (values === undefined || values.every((value) => isOneOf(value, allowed))) return values as T[] | undefined;
    throw new ApiError('INVALID_PARAMS', `${name} must be among ${allowed.join(', ')}, separated by commas.`, name);
  }

  /** Texts separated by commas. */
  texts(name: string): string[] | undefined {
    return this.text(name)?.split(',');
  }

  /** A size in pixels, 1 to 10,000. */
  pixels(name: string): number | undefined {
    const value = this.text(name);
    const pixels = pixelsOf(value);
    if (value === undefined || pixels !== undefined) return pixels;
    throw new ApiError('INVALID_PARAMS', `${name} must be a number of pixels.`, name);
  }

  /** `300x250,320x50`. */
  sizes(name: string): { w: number; h: number }[] | undefined {
    return this.texts(name)?.map((stated) => {
      const size = sizeOf(stated);
      if (size !== undefined) return size;
      throw new ApiError('INVALID_PARAMS', `${name} must be sizes such as 300x250, separated by commas.`, name);
    });
  }

  /** A CPM. Whether a number is an acceptable floor is decided by the bid request's own check. */
  cpm(name: string): number | undefined {
    const value = this.#stated(name);
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

  /** A whole number within both bounds, which -1 and -2 may be within. */
  integer(name: string, least = 0, most = MOST): number | undefined {
    const value = this.#stated(name);
    if (value !== undefined && isWhole(value, least, most)) return Number(value);
    if (value === undefined || isUntold(value)) return undefined;
    throw new ApiError('INVALID_PARAMS', `${name} must be a whole number ${range(least, most)}.`, name);
  }

  /** Whole numbers within both bounds, separated by commas. */
  integers(name: string, least = 0, most = MOST): number[] | undefined {
    const value = this.#stated(name);
    const values = value?.split(',');
    if (values?.every((each) => isWhole(each, least, most))) return values.map(Number);
    if (value === undefined || isUntold(value)) return undefined;
    const what = `whole numbers ${range(least, most)}, separated by commas`;
    throw new ApiError('INVALID_PARAMS', `${name} must be ${what}.`, name);
  }

  /** An IPv4 or IPv6 address. */
  address(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined || isIP(value) !== 0) return value;
    throw new ApiError('INVALID_PARAMS', `${name} must be an IP address.`, name);
  }

  /** As it stands; undefined when absent or empty, or where the macro was not filled in. */
  #filled(name: string): string | undefined {
    const value = this.raw(name);
    return value !== undefined && !UNFILLED.test(value) ? value : undefined;
  }

  /** As `#filled`, of bounded length. Numbers below zero may be values here. */
  #stated(name: string): string | undefined {
    const value = this.#filled(name);
    if (value === undefined || value.length <= LONGEST_TEXT) return value;
    throw new ApiError('INVALID_PARAMS', `${name} is longer than ${LONGEST_TEXT} characters.`, name);
  }
}

/** What players fill in for a value that is unknown (-1) or withheld (-2) (VAST 4.2 §6). */
function isUntold(value: string): boolean {
  return value === '-1' || value === '-2';
}

function isOneOf<T extends string>(value: string, allowed: readonly T[]): value is T {
  return (allowed as readonly string[]).includes(value);
}

function isWhole(value: string, least: number, most: number): boolean {
  const number = Number(value);
  return /^-?\d{1,9}$/.test(value) && number >= least && number <= most;
}

function range(least: number, most: number): string {
  return most === MOST ? `of ${least} or more` : `from ${least} to ${most}`;
}
