import { BSON, type ClientSession, type ClusterTime, type MongoClient, type Timestamp } from 'mongodb';
import { newerToken, type StoreToken, tokenOf } from '../../ports/store-token.ts';

/** The times that a replica set sends with every answer. */
interface Times {
  /** The time of what was read or written. A later read with it waits until a majority has reached it. */
  readonly operationTime: Timestamp;
  /**
   * The newest time of the whole cluster, signed: without it a server rejects an operation time that is ahead of its
   * own.
   */
  readonly clusterTime: ClusterTime;
}

/**
 * Runs a command in a session that sees everything before it, and records what the command saw. Without a session the
 * server has no times.
 */
export type InSession = <T>(work: (session?: ClientSession) => Promise<T>) => Promise<T>;

/** The option of a command that puts it into the session, where there is one. */
export function within(session: ClientSession | undefined): { readonly session?: ClientSession } {
  return session === undefined ? {} : { session };
}

/**
 * Law 12: after an election a server may answer reads from a majority's state that lags behind what the last primary
 * acknowledged. So each command of a replica set runs in a causally consistent session that begins where the store's
 * last one ended; a token carries that time to other processes.
 */
export class CausalTimes {
  readonly #client: MongoClient;
  readonly #causal: boolean;
  #token: StoreToken = '';

  /** `causal` tells whether the server has times; without them tokens are empty. */
  constructor(client: MongoClient, causal: boolean) {
    this.#client = client;
    this.#causal = causal;
  }

  get token(): StoreToken {
    return this.#token;
  }

  /** Sessions that also begin after the token. */
  after(token: StoreToken): InSession {
    if (!this.#causal) return (work) => work();
    return async (work) => {
      const session = this.#client.startSession({ causalConsistency: true });
      try {
        const times = decodeTimes(newerToken(this.#token, token));
        if (times !== null) {
          session.advanceClusterTime(times.clusterTime);
          session.advanceOperationTime(times.operationTime);
        }
        return await work(session);
      } finally {
        // The times are recorded even after a failure, because what was answered is true, and before the caller
        // continues.
        this.#token = newerToken(this.#token, encodeTimes(session));
        await session.endSession();
      }
    };
  }
}

export function encodeTimes({ operationTime, clusterTime }: Partial<Pick<ClientSession, keyof Times>>): StoreToken {
  if (operationTime === undefined || clusterTime === undefined) return '';
  const own = Buffer.from(BSON.serialize({ operationTime, clusterTime })).toString('base64url');
  // Tokens are ordered by the operation time and not by the cluster time: of two tokens, the one with the later cluster
  // time may have the earlier operation.
  return tokenOf(operationTime.toBigInt(), own);
}

export function decodeTimes(token: StoreToken): Times | null {
  if (token === '') return null;
  const own = token.slice(token.indexOf('.') + 1);
  return BSON.deserialize(Buffer.from(own, 'base64url'), { promoteLongs: false, promoteBuffers: false }) as Times;
}
