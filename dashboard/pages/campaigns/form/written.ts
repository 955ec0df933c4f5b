/** What a field for a number holds: empty text where nothing is written. */
export type Written = number | string;

export const text = (written: string) => (written === '' ? undefined : written);
export const number = (written: Written) => (written === '' ? undefined : Number(written));
