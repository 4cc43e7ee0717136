import { ApiError } from '#server';
import { smsProblems } from '../contract.ts';

/** Parses a JSON object; refuses any other text. */
export function objectIn(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Record<string, unknown>;
  } catch {
    // Invalid JSON is refused below.
  }
  throw new ApiError(smsProblems.noJson, {}, { field: 'params' });
}
