/** A user's email and password, and the code of the second factor where there is one. */
export interface Login {
  readonly email: string;
  readonly password: string;
  readonly code?: string;
}

/**
 * The cookies of a session outside of browsers, which keep them by themselves: those that the exchange set last. The
 * first request that needs the session logs in; the others wait for that.
 */
export class Session {
  readonly #cookies = new Map<string, string>();
  readonly #logIn: () => Promise<Response>;
  #loggingIn: Promise<void> | null = null;

  constructor(logIn: () => Promise<Response>) {
    this.#logIn = logIn;
  }

  async cookie(): Promise<string> {
    if (this.#cookies.size === 0) {
      this.#loggingIn ??= this.#logIn()
        .then((response) => this.note(response))
        .finally(() => {
          this.#loggingIn = null;
        });
      await this.#loggingIn;
    }
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Takes over what an answer sets. */
  note(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';', 1)[0]!;
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  /** The next request logs in again. */
  forget(): void {
    this.#cookies.clear();
  }
}
