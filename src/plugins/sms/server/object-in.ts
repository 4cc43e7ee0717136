import { Refusal } from '#server';
import { smsProblems } from '../contract.ts';

/** The object a text of JSON holds; refuses what is none. */
export function objectIn(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw new Refusal(smsProblems.noJson, {}, { field: 'params' });
}
