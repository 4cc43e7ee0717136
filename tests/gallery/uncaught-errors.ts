import * as Type from 'typebox';
import { get, NoContent, NoInput, post } from '#shared/contract';

/** Raises an error that this plugin does not catch: an unhandled rejection, or an exception in a timer while the call is still being answered. */
export const causeUncaughtError = post('/api/gallery/mishap', {
  title: ['制造未捕获的错误', 'Cause an uncaught error'],
  access: 'signedIn',
  input: Type.Object({ kind: Type.Unsafe<'rejection' | 'exception'>({ type: 'string', enum: ['rejection', 'exception'] }) }),
  reply: NoContent,
});

/** Counts uncaught errors by plugin, as the list of plugins shows them. */
export const uncaughtErrorCounts = get('/api/gallery/mishap/count', {
  title: ['未捕获的错误', 'Uncaught errors'],
  access: 'signedIn',
  input: NoInput,
  reply: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }),
});
