import { BSON, type ClientSession, type ClusterTime, type MongoClient, type Timestamp } from 'mongodb';
import { newerToken, type StoreToken, tokenOf } from '../../ports/store-token.ts';

/** What a replica set says of itself with every answer. */
interface Times {
  /** Of what was read or written. What is read after it waits until a majority has come as far. */
  readonly operationTime: Timestamp;
  /** The whole cluster's newest, signed: a server believes no operation time that is ahead of its own without it. */
  readonly clusterTime: ClusterTime;
}

/** A command of this session sees what came before it, and what it sees is noted; without one, servers have no times. */
export type InSession = <T>(work: (session?: ClientSession) => Promise<T>) => Promise<T>;

/**
 * Law 12: after an election a server may answer reads by a majority's state that lags behind what the last primary acknowledged. So
 * each command of a replica set runs in a causally consistent session that begins where the store's last one ended; and a token
 * takes that on to other processes.
 */
export class CausalTimes {
  readonly #client: MongoClient;
  readonly #causal: boolean;
  #token: StoreToken = '';

  /** `causal`: whether the server tells times; without them tokens are empty. */
  constructor(client: MongoClient, causal: boolean) {
    this.#client = client;
    this.#causal = causal;
  }

  get token(): StoreToken {
    return this.#token;
  }

  /** Sessions that begin after the token too. */
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
        // Whatever came of it: what was answered is true. Noted before whoever asked goes on.
        this.#token = newerToken(this.#token, encodeTimes(session));
        await session.endSession();
      }
    };
  }
}

export function encodeTimes({ operationTime, clusterTime }: Partial<Pick<ClientSession, keyof Times>>): StoreToken {
  if (operationTime === undefined || clusterTime === undefined) return '';
  const own = Buffer.from(BSON.serialize({ operationTime, clusterTime })).toString('base64url');
  // By the operation's time and not the cluster's: of two tokens that with the later cluster time may be of the earlier operation.
  return tokenOf(operationTime.toBigInt(), own);
}

export function decodeTimes(token: StoreToken): Times | null {
  if (token === '') return null;
  const own = token.slice(token.indexOf('.') + 1);
  return BSON.deserialize(Buffer.from(own, 'base64url'), { promoteLongs: false, promoteBuffers: false }) as Times;
}
