/** Of this package. */
export const VERSION = '0.4.0';
