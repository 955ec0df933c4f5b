/** Randomness as a port, so that the simulator can own it. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** An id that is unique and cannot be guessed: 22 URL-safe characters, 128 bits. */
  id(): string;
}
