/** The shells that completion is written for. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
