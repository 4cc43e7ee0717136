import { Refusal } from '#shared/errors';
import type { Principal } from '../auth/principal.ts';
import { admit, anonymous } from './admission.ts';
import type { App } from './app.ts';
import { identifying, originOf, principalOf, type Rooms } from './mount.ts';
import type { Origin, StreamRoute } from './route.ts';

type Identifying = Pick<Rooms, 'identify' | 'limits'>;

/** Proxies pass on what comes as it comes; the connection ends with the stream, or a server that stops would wait for its next request. */
const streaming = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no', connection: 'close' };

/** Serves a call that answers with a stream: who may ask is settled as for any other, what is sent is the stream's own. */
export function mountStream(app: App, route: StreamRoute, rooms: Identifying): void {
  app.route({
    method: 'GET',
    url: route.call.path,
    onRequest: identifying(route, rooms),
    handler: async (request, reply) => {
      const origin = originOf(request);
      const review = () => reviewed(route, rooms, origin);
      const stream = await route.open({ principal: principalOf(request) ?? anonymous, origin, review });
      return reply.type('text/event-stream; charset=utf-8').headers(streaming).send(stream);
    },
  });
}

/** Who makes a request by now; nothing when they would be refused. */
async function reviewed(route: StreamRoute, { identify }: Identifying, origin: Origin): Promise<Principal | undefined> {
  try {
    const principal = await identify(origin);
    admit(route, principal);
    return principal;
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
