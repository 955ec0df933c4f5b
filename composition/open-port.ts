const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be opened by this user',
};

/** Opens a port; when the system refuses it, says which setting (`name`) chose it. */
export async function openPort<T>(name: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new Error(`port ${port} (${name}) ${reason}`, { cause: error });
  }
}
