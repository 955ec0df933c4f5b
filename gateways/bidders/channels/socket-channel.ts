import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { ConnectionProblem } from '#actors/bidder-health/messages';
import { Linked } from '#async/linked-list';
import { writeAtTurnEnd } from '#async/turn-end';
import { type AddressPolicy, guardedConnect } from '../../http/guarded-connect.ts';
import { connectionProblem } from '../tls/connection-problem.ts';
import type { Channel, ChannelCall } from './channel.ts';
import { Progress, ResponseParser } from './response-parser.ts';

/** What the channels to one bidder have in common. */
export interface SocketEndpoint {
  readonly url: URL;
  /** All of a request's head up to the number of its content-length. */
  readonly head: Buffer;
  readonly policy: AddressPolicy;
  readonly connectTimeoutMs: number;
  /** See `ConnectionOptions`. */
  readonly secureContext: SecureContext | null;
  /** The TLS session of the latest connection, which the next one resumes; null before the first. */
  session: Buffer | null;
}

/** The pool that a channel goes back to. */
export interface SocketChannelHome {
  /** The channel is open and takes the next call. `keepAliveSeconds`: see `ResponseParser`. */
  idle(channel: SocketChannel, keepAliveSeconds: number | null): void;
  /** The channel is closed. */
  closed(channel: SocketChannel): void;
}

const CLOSED_BY_PEER = 'the other side closed the connection';
const HEAD_END = '\r\n\r\n';

/**
 * All sockets are read into this one buffer, which is empty again when the read returns. So no answer needs memory of
 * its own unless it comes in pieces.
 */
const READ_BUFFER = Buffer.allocUnsafeSlow(64 * 1024);

/** Requests up to this size are written from one buffer. */
const WRITE_BUFFER_BYTES = 16 * 1024;

/**
 * The memory of requests to plain sockets: a socket nearly always takes the whole request at once, and the buffer is
 * free again. One that the socket still holds is left to it, and another takes its place.
 */
let writeBuffer = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);

/** Over TLS, where a write is known to have ended a turn later, a connection keeps memory for requests up to this size. */
const KEPT_BYTES = 8 * 1024;

/** SENDING: the request is written at the end of the turn. */
const State = { OPENING: 0, IDLE: 1, SENDING: 2, BUSY: 3, CLOSED: 4 } as const;
type State = (typeof State)[keyof typeof State];

/**
 * One connection to a bidder over HTTP/1.1, plain or TLS, from its opening to its end: one write for a request, the
 * answer parsed where it is read. A connection that has ended is opened again only for a call that has taken it in this
 * turn, of which nothing is written; otherwise the pool makes another one.
 */
export class SocketChannel extends Linked<SocketChannel> implements Channel {
  /** Monotonic ms at which the pool last handed it out. */
  usedMs = 0;
  /** ms of disuse after which the pool closes it. */
  keepAliveMs = 0;
  /** The connection is open and without TLS; over TLS, what is written waits for its encryption. */
  isPlain = false;

  readonly #endpoint: SocketEndpoint;
  readonly #home: SocketChannelHome;
  readonly #parser = new ResponseParser();
  #state: State = State.OPENING;
  #socket: Socket | null = null;
  #call: ChannelCall | null = null;
  /** Of the call that is written next. */
  #traceparent: string | undefined;
  /** The memory of its requests, over TLS; null before the first. No request is written before the last one is sent. */
  #kept: Buffer | null = null;
  /** The body of a call that waits for the connection. */
  #waiting: Buffer | null = null;

  constructor(endpoint: SocketEndpoint, home: SocketChannelHome) {
    super();
    this.#endpoint = endpoint;
    this.#home = home;
  }

  /**
   * Whether a part of the last request is still to be written: it was answered early, and the next one would wait
   * behind it. Over TLS also while that is not known yet.
   */
  get hasUnsent(): boolean {
    return this.#socket !== null && this.#socket.writableLength > 0;
  }

  send(call: ChannelCall, body: Buffer, traceparent?: string): void {
    this.#call = call;
    this.#traceparent = traceparent;
    this.#waiting = body;
    if (this.#state === State.IDLE) this.#writeAtTurnEnd();
    else this.#open();
  }

  abandon(): void {
    this.#call = null;
    this.#close();
  }

  /** Closes the connection at once. A call under way fails. */
  destroy(): void {
    this.#fail('the connection was closed');
  }

  #writeAtTurnEnd(): void {
    this.#state = State.SENDING;
    writeAtTurnEnd(() => {
      // Meanwhile the connection may have ended, and the call with it.
      if (this.#state === State.SENDING) this.#write();
    });
  }

  #write(): void {
    const call = this.#call!;
    const body = this.#waiting!;
    this.#waiting = null;
    if (!call.sending()) {
      this.#end();
      call.dropped();
      return;
    }
    this.#state = State.BUSY;
    this.#parser.begin();
    const { head } = this.#endpoint;
    const traced = this.#traceparent === undefined ? '' : `\r\ntraceparent: ${this.#traceparent}`;
    const length = `${body.length}${traced}${HEAD_END}`;
    const bytes = head.length + length.length + body.length;
    const message = this.#memoryFor(bytes);
    head.copy(message);
    message.write(length, head.length, 'latin1');
    body.copy(message, head.length + length.length);
    const socket = this.#socket!;
    socket.write(message);
    if (message.buffer === writeBuffer.buffer && socket.writableLength > 0)
      writeBuffer = Buffer.allocUnsafeSlow(WRITE_BUFFER_BYTES);
  }

  /** Memory that nothing is written from any more, for the next request. */
  #memoryFor(bytes: number): Buffer {
    if (this.isPlain) return bytes <= WRITE_BUFFER_BYTES ? writeBuffer.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
    if (bytes > KEPT_BYTES) return Buffer.allocUnsafe(bytes);
    if (this.#kept === null || this.#kept.length < bytes) {
      // Requests of a bidder differ by little: room for one that is a quarter longer.
      this.#kept = Buffer.allocUnsafeSlow(Math.min(KEPT_BYTES, bytes + (bytes >> 2)));
    }
    return this.#kept.subarray(0, bytes);
  }

  #open(): void {
    const { url, policy, connectTimeoutMs, secureContext, session } = this.#endpoint;
    const onread = {
      buffer: READ_BUFFER,
      callback: (bytesRead: number, buffer: Uint8Array): boolean => {
        this.#read(buffer as Buffer, bytesRead);
        return true;
      },
    };
    const { host, protocol, port } = url;
    const hostname = url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
    const connect = guardedConnect(policy, connectTimeoutMs, {
      onread,
      ...(secureContext && { secureContext }),
      ...(session && { session }),
    });
    connect({ hostname, host, protocol, port }, (error, socket) => {
      if (error === null) {
        this.#opened(socket);
        return;
      }
      this.#forget(session);
      this.#fail(error.message, connectionProblem(error));
    });
  }

  /** The bidder may have changed so that it refuses the session for good: the next connection begins a new one. */
  #forget(session: Buffer | null): void {
    if (this.#endpoint.session === session) this.#endpoint.session = null;
  }

  #opened(socket: Socket): void {
    if (this.#state === State.CLOSED) {
      socket.on('error', () => undefined).destroy();
      return;
    }
    this.#socket = socket;
    this.isPlain = !(socket instanceof TLSSocket);
    // A bidder that wants a certificate of ours says so after the handshake (TLS 1.3).
    socket.on('error', (error) => this.#lost(socket, error.message, connectionProblem(error)));
    socket.on('end', () => this.#ended(socket));
    socket.on('close', () => this.#lost(socket, CLOSED_BY_PEER));
    if (socket instanceof TLSSocket) {
      socket.on('session', (session) => {
        this.#endpoint.session = session;
      });
      // Of TLS 1.2 it is there already, and comes without an event; of TLS 1.3 it follows in a message of its own.
      if (socket.getProtocol() !== 'TLSv1.3') this.#endpoint.session = socket.getSession() ?? null;
    }
    if (socket.destroyed) {
      this.#fail(CLOSED_BY_PEER);
      return;
    }
    this.#write();
  }

  #read(bytes: Buffer, end: number): void {
    const call = this.#call;
    // A bidder that was not asked has nothing to say: what it sends is late, surplus or the notice of an end.
    if (this.#state !== State.BUSY || call === null) {
      if (this.#state === State.IDLE || this.#state === State.SENDING)
        this.#lost(this.#socket!, 'the other side sent what was not asked for');
      return;
    }
    switch (this.#parser.read(bytes, 0, end, call)) {
      case Progress.MORE:
        return;
      case Progress.COMPLETE:
        this.#call = null;
        // Surplus bytes would be taken for the next answer.
        if (this.#parser.keepAlive && this.#parser.end === end) this.#end();
        else this.#close();
        call.complete();
        return;
      case Progress.UNWANTED:
        this.abandon();
        return;
      default:
        this.#fail('the answer is not HTTP/1.1');
    }
  }

  /** The other side sends no more. */
  #ended(socket: Socket): void {
    const call = this.#call;
    if (socket === this.#socket && this.#state === State.BUSY && call !== null && this.#parser.finish()) {
      this.#call = null;
      this.#close();
      call.complete();
    } else this.#lost(socket, CLOSED_BY_PEER);
  }

  /**
   * A connection is over. Bidders close those that are idle at a moment of their own; a call that has taken it and is
   * not written yet goes out on a new one, and the bidder is not blamed.
   */
  #lost(socket: Socket, message: string, problem: ConnectionProblem | null = null): void {
    if (socket !== this.#socket) return;
    if (this.#state !== State.SENDING) {
      this.#fail(message, problem);
      return;
    }
    this.#state = State.OPENING;
    this.#socket = null;
    socket.destroy();
    this.#open();
  }

  /** The call is over and the connection is open. */
  #end(): void {
    this.#call = null;
    this.#state = State.IDLE;
    this.#home.idle(this, this.#parser.keepAliveSeconds);
  }

  #fail(message: string, problem: ConnectionProblem | null = null): void {
    const call = this.#call;
    this.#call = null;
    this.#close();
    call?.failed(message, problem);
  }

  #close(): void {
    if (this.#state === State.CLOSED) return;
    this.#state = State.CLOSED;
    this.#waiting = null;
    this.#socket?.destroy();
    this.#home.closed(this);
  }
}
