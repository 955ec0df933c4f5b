import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { type LiveCredential, nameOfCredential } from './credential.ts';
import type { LiveFigures } from './live-figures.ts';
import { type LiveScope, nameOfScope } from './live-scope.ts';
import { metricsUpdate } from './metrics-update.ts';
import { type LiveSettings, maxSocketsPerAccount } from './settings.ts';
import { GOING_AWAY, POLICY_VIOLATION, Subscriber } from './subscriber.ts';

/** Updates are pushed at this interval (specification, "WebSocket"). */
const PUSH_EVERY_MS = 5_000;
const PING_EVERY_PUSHES = 6;
/** Scopes whose figures one round trip reads at most. */
const SCOPES_AT_ONCE = 200;
/** Sockets that are written to before other work of the process runs. */
const SOCKETS_AT_ONCE = 200;
/** Closed sockets are terminated after this many ms without a close frame. */
const CLOSE_GRACE_MS = 1_000;

export interface MetricsPushOptions {
  readonly figures: LiveFigures;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly settings: LiveSettings;
  /**
   * Answers the names (see credential.ts) of the credentials that are not valid any more; null when this cannot be
   * determined.
   */
  readonly ended: (credentials: readonly LiveCredential[]) => Promise<ReadonlySet<string> | null>;
}

/** The limit that prevents a further socket. */
export type CapacityLimit = 'closing' | 'process' | 'account' | 'credential';

interface ScopeSubscribers {
  readonly scope: LiveScope;
  readonly subscribers: Set<Subscriber>;
}

interface CredentialSubscribers {
  readonly credential: LiveCredential;
  readonly subscribers: Set<Subscriber>;
}

/**
 * Pushes the live figures every 5 seconds: computes the figures of each scope with subscribers once, serialises them
 * once, and sends them to all of its sockets. Each push also closes sockets whose credential has ended. Sockets that do
 * not answer pings are dropped.
 */
export class MetricsPush {
  readonly #options: MetricsPushOptions;
  readonly #byScope = new Map<string, ScopeSubscribers>();
  readonly #byCredential = new Map<string, CredentialSubscribers>();
  readonly #byAccount = new Map<string, number>();
  #sockets = 0;
  #pushes = 0;
  #pushing: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => {};
  #closing = false;

  constructor(options: MetricsPushOptions) {
    this.#options = options;
  }

  get sockets(): number {
    return this.#sockets;
  }

  /** The limit that refuses a further socket with this credential of the account; null while there is room. */
  limitReached(accountId: string, credential: LiveCredential): CapacityLimit | null {
    const { settings } = this.#options;
    const { maxSockets, maxSocketsPerCredential } = settings;
    if (this.#closing) return 'closing';
    if (this.#sockets >= maxSockets) return 'process';
    if ((this.#byAccount.get(accountId) ?? 0) >= maxSocketsPerAccount(settings)) return 'account';
    const held = this.#byCredential.get(nameOfCredential(credential))?.subscribers.size ?? 0;
    return held >= maxSocketsPerCredential ? 'credential' : null;
  }

  add(socket: WebSocket, scope: LiveScope, credential: LiveCredential): void {
    const scopeName = nameOfScope(scope);
    const holderName = nameOfCredential(credential);
    const scopeSubscribers = this.#byScope.get(scopeName) ?? { scope, subscribers: new Set() };
    const holder = this.#byCredential.get(holderName) ?? { credential, subscribers: new Set() };
    const subscriber = new Subscriber(socket, scope, credential, () => {
      this.#sockets -= 1;
      this.#count(scope, -1);
      scopeSubscribers.subscribers.delete(subscriber);
      holder.subscribers.delete(subscriber);
      if (scopeSubscribers.subscribers.size === 0 && this.#byScope.get(scopeName) === scopeSubscribers) {
        this.#byScope.delete(scopeName);
      }
      if (holder.subscribers.size === 0 && this.#byCredential.get(holderName) === holder)
        this.#byCredential.delete(holderName);
    });
    this.#sockets += 1;
    this.#count(scope, 1);
    this.#byScope.set(scopeName, scopeSubscribers);
    this.#byCredential.set(holderName, holder);
    scopeSubscribers.subscribers.add(subscriber);
    holder.subscribers.add(subscriber);
    if (this.#closing) subscriber.close(GOING_AWAY, 'the exchange is going away');
  }

  start(): void {
    const { clock } = this.#options;
    // The schedule uses the monotonic clock: a wall clock that is set back would delay the pushes.
    let nextAtMs = clock.monotonic() + PUSH_EVERY_MS;
    const wait = () => {
      this.#cancelTimer = clock.after(Math.max(0, nextAtMs - clock.monotonic()), () => {
        // A timer may fire slightly early and must not fire twice then. A process that was delayed skips the missed
        // pushes.
        do nextAtMs += PUSH_EVERY_MS;
        while (nextAtMs <= clock.monotonic());
        this.#pushing = this.#push().finally(() => {
          if (!this.#closing) wait();
        });
      });
    };
    wait();
  }

  /** Accepts no more sockets and closes the open ones, so that they connect to another process. */
  drain(): void {
    this.#closing = true;
    this.#cancelTimer();
    for (const subscriber of this.#all()) subscriber.close(GOING_AWAY, 'the exchange is going away');
  }

  /** Drains, and resolves when no socket is left. */
  async close(): Promise<void> {
    this.drain();
    await this.#pushing;
    if (this.#sockets === 0) return;
    await new Promise<void>((resolve) => {
      const { clock } = this.#options;
      const cancel = clock.after(CLOSE_GRACE_MS, () => {
        for (const subscriber of this.#all()) subscriber.terminate();
        resolve();
      });
      const waitForSockets = () => {
        if (this.#sockets > 0) return void setImmediate(waitForSockets);
        cancel();
        resolve();
      };
      waitForSockets();
    });
  }

  /** Never rejects. */
  async #push(): Promise<void> {
    try {
      await this.#dropEnded();
      await this.#pushAll();
      this.#pushes += 1;
      if (this.#pushes % PING_EVERY_PUSHES === 0) {
        await this.#inBatches([...this.#all()], (subscriber) => subscriber.ping());
      }
    } catch (err) {
      this.#options.logger.error({ err }, 'metrics could not be pushed');
    }
  }

  async #dropEnded(): Promise<void> {
    const credentials = [...this.#byCredential.values()].map(({ credential }) => credential);
    if (credentials.length === 0) return;
    for (const name of (await this.#options.ended(credentials)) ?? []) {
      for (const subscriber of [...(this.#byCredential.get(name)?.subscribers ?? [])]) {
        subscriber.close(POLICY_VIOLATION, 'the credentials are not valid any more');
      }
    }
  }

  async #pushAll(): Promise<void> {
    const { figures, clock } = this.#options;
    const scopeList = [...this.#byScope.values()];
    for (let from = 0; from < scopeList.length; from += SCOPES_AT_ONCE) {
      const some = scopeList.slice(from, from + SCOPES_AT_ONCE);
      const minutes = await figures.lastMinutes(some.map(({ scope }) => scope));
      for (const [index, { subscribers }] of some.entries()) {
        const message = Buffer.from(JSON.stringify(metricsUpdate(minutes[index]!, clock.now())));
        await this.#inBatches([...subscribers], (subscriber) => subscriber.push(message));
      }
    }
  }

  async #inBatches(subscribers: readonly Subscriber[], each: (subscriber: Subscriber) => void): Promise<void> {
    for (const [index, subscriber] of subscribers.entries()) {
      if (index > 0 && index % SOCKETS_AT_ONCE === 0) await yieldToEventLoop();
      each(subscriber);
    }
  }

  #count({ accountId }: LiveScope, change: 1 | -1): void {
    const count = (this.#byAccount.get(accountId) ?? 0) + change;
    if (count === 0) this.#byAccount.delete(accountId);
    else this.#byAccount.set(accountId, count);
  }

  *#all(): Generator<Subscriber> {
    for (const { subscribers } of [...this.#byScope.values()]) yield* [...subscribers];
  }
}
