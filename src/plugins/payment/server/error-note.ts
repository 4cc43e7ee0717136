import { ApiError } from '#server';

/** Returns the text of an error for a stored note, in both languages if it has them. */
export const errorNote = (error: unknown): string => (error instanceof ApiError ? `${error.text('zh')} ${error.text('en')}` : (error as Error).message);
