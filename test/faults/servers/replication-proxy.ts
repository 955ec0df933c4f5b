import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** The announced address of a Redis server, through which clients, Sentinels and replicas come to it. */
export interface ReplicationProxy {
  readonly port: number;
  /** Resets the replication link of the replica that announces this port, and each new one until `restore`. */
  cut(replicaPort: number): void;
  /** Keeps the link open and passes nothing on, until `restore` resets it: the replica lags without notice. */
  stall(replicaPort: number): void;
  restore(): void;
  close(): Promise<void>;
}

interface Connection {
  readonly near: Socket;
  readonly far: Socket;
  /** The port that a replica has announced here; null of any other client. */
  replica: number | null;
}

/** A replica says by this who it is, before it asks for the replication stream. */
const ANNOUNCED = /listening-port\r\n\$\d+\r\n(\d+)\r\n/;
const HANDSHAKE_CHARACTERS = 2_000;

export async function openReplicationProxy(port: number): Promise<ReplicationProxy> {
  const connections = new Set<Connection>();
  const cuts = new Set<number>();
  const stalls = new Set<number>();

  const listener = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const connection: Connection = { near, far, replica: null };
    connections.add(connection);
    for (const socket of [near, far]) {
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        connections.delete(connection);
        near.destroy();
        far.destroy();
      });
    }
    let said = '';
    const listen = (chunk: Buffer): void => {
      said += chunk.toString('latin1');
      const announced = ANNOUNCED.exec(said);
      if (announced === null && said.length < HANDSHAKE_CHARACTERS) return;
      near.off('data', listen);
      if (announced === null) return;
      connection.replica = Number(announced[1]);
      if (cuts.has(connection.replica) || stalls.has(connection.replica)) reset(connection);
    };
    near.on('data', listen);
    near.pipe(far);
    far.pipe(near);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const linksOf = (replicaPort: number) => [...connections].filter(({ replica }) => replica === replicaPort);
  return {
    port: (listener.address() as AddressInfo).port,
    cut(replicaPort) {
      cuts.add(replicaPort);
      for (const link of linksOf(replicaPort)) reset(link);
    },
    stall(replicaPort) {
      stalls.add(replicaPort);
      for (const { near, far } of linksOf(replicaPort)) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
      }
    },
    restore() {
      // What was under way when a primary died never arrives.
      for (const link of [...stalls].flatMap(linksOf)) reset(link);
      cuts.clear();
      stalls.clear();
    },
    async close() {
      for (const connection of [...connections]) reset(connection);
      listener.close();
      await once(listener, 'close');
    },
  };
}

function reset({ near, far }: Connection): void {
  near.resetAndDestroy();
  far.destroy();
}
