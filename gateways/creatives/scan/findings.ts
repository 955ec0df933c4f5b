import type { Finding, FindingCode } from '#actors/creative/scan';
import { withoutQuery } from '#exchange/auction/secure-markup';

const MOST_FINDINGS = 50;
const MAX_URL = 500;

/** What a scan has found so far: each once for a URL, the first 50. */
export class Findings {
  readonly #found: Finding[] = [];

  /** `message` is a sentence. */
  add(code: FindingCode, message: string, url: string | null = null): void {
    const shown = url === null ? null : withoutQuery(url).slice(0, MAX_URL);
    const isKnown = this.#found.some((one) => one.code === code && one.message === message && one.url === shown);
    if (!isKnown && this.#found.length < MOST_FINDINGS) this.#found.push({ code, message, url: shown });
  }

  get all(): readonly Finding[] {
    return this.#found;
  }
}
