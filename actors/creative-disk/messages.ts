import Type from 'typebox';

/** Hex. */
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Bytes = Type.Integer({ minimum: 0 });
const Ms = Type.Integer({ minimum: 0 });

export const creativeDiskMessages = {
  /**
   * Somebody relies on the file from here on, or is about to store it where `stored` is false. Answers `Kept`: a new file that would
   * bring all of them to more than `most` bytes is not to be stored, one that is being deleted is to be asked for again.
   */
  want: Type.Object({ sha256: Sha256, bytes: Bytes, stored: Type.Boolean(), most: Bytes }),
  /** All files of the storage together, listed from `fromMs` on, ms since the Unix epoch. */
  measured: Type.Object({ bytes: Bytes, fromMs: Ms }),
  /** What a look at everything showed: files that nothing refers to, and some that were thought so and are referred to again. */
  looked: Type.Object({ unreferenced: Type.Array(Sha256), referenced: Type.Array(Sha256) }),
  /** Asks for leave to delete. Answers those that nothing has referred to for `afterMs` and that nobody has wanted for as long. */
  collect: Type.Object({ files: Type.Array(Sha256), afterMs: Ms }),
  /** They are deleted: of so many bytes in all. */
  collected: Type.Object({ files: Type.Array(Sha256), bytes: Bytes }),
};
