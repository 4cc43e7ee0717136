import { defineServerPlugin, route, type ServerContributions } from '#server';
import { get, NoContent, NoInput } from '#shared/contract';

/** A call that always fails with an unexpected error. */
export const failingCall = get('/api/lamp/fail', { title: ['故障', 'Failure'], access: 'signedIn', input: NoInput, reply: NoContent });

/** Plugin that serves `failingCall`. */
export const brokenLamp = (others: ServerContributions = {}) =>
  defineServerPlugin({
    id: 'lamp',
    title: ['灯', 'Lamp'],
    setup: () => ({
      routes: [
        route(failingCall, () => {
          throw new Error('the lamp is broken');
        }),
      ],
      ...others,
    }),
  });
