import { Object as Shape, Unsafe } from 'typebox';
import { Done, get, Nothing, post } from '#shared/contract';

/** Raises an error that this plugin does not catch: an unhandled rejection, or an exception in a timer while the call is still being answered. */
export const mishap = post('/api/gallery/mishap', {
  title: ['制造未捕获的错误', 'Cause an uncaught error'],
  who: 'signedIn',
  input: Shape({ kind: Unsafe<'rejection' | 'exception'>({ type: 'string', enum: ['rejection', 'exception'] }) }),
  reply: Done,
});

/** Counts uncaught errors by plugin, as the list of plugins shows them. */
export const mishaps = get('/api/gallery/mishap/count', {
  title: ['未捕获的错误', 'Uncaught errors'],
  who: 'signedIn',
  input: Nothing,
  reply: Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'integer' } }),
});
