import Type from 'typebox';

/** SHA-256, hex. */
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Bytes = Type.Integer({ minimum: 0 });
const Ms = Type.Integer({ minimum: 0 });

export const creativeDiskMessages = {
  /**
   * A user needs the file from here on, or is about to store it where `stored` is false. Answers
   * `FileReservationReply`: a new file that would bring the sum of all files above `most` bytes must not be stored; a
   * file that is being deleted must be asked for again.
   */
  want: Type.Object({ sha256: Sha256, bytes: Bytes, stored: Type.Boolean(), most: Bytes }),
  /** The bytes of all files of the storage, listed from `fromMs` on, ms since the Unix epoch. */
  measured: Type.Object({ bytes: Bytes, fromMs: Ms }),
  /** The result of a complete check: files without references, and files that had none and are referred to again. */
  looked: Type.Object({ unreferenced: Type.Array(Sha256), referenced: Type.Array(Sha256) }),
  /**
   * Asks for permission to delete. Answers the files that have had no reference for `afterMs`, counted anew since a
   * user last wanted them.
   */
  collect: Type.Object({ files: Type.Array(Sha256), afterMs: Ms }),
  /** The files are deleted, `bytes` in all. */
  collected: Type.Object({ files: Type.Array(Sha256), bytes: Bytes }),
};
