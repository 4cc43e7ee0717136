import { ApiError } from '#shared/errors';
import type { App } from '../../platform/http/app.ts';
import { anonymous, authorize } from '../../platform/http/authorize-call.ts';
import type { Origin, StreamRoute } from '../../platform/http/route.ts';
import type { Principal } from '../../platform/principal/principal.ts';
import { identifying, originOf, principalOf, type RequestStages } from './mount.ts';

type StreamStages = Pick<RequestStages, 'identify' | 'limits'>;

/** Headers that stop proxies from buffering; the connection closes with the stream, because a stopping server would otherwise wait for its next request. */
const streaming = { 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no', connection: 'close' };

/** Mounts a call that replies with a stream: authorized like any other call, while the content comes from the stream. */
export function mountStream(app: App, route: StreamRoute, stages: StreamStages): void {
  app.route({
    method: 'GET',
    url: route.call.path,
    onRequest: identifying(route, stages),
    handler: async (request, reply) => {
      const origin = originOf(request);
      const review = () => reviewed(route, stages, origin);
      const stream = await route.open({ principal: principalOf(request) ?? anonymous, origin, review });
      return reply.type('text/event-stream; charset=utf-8').headers(streaming).send(stream);
    },
  });
}

/** Identifies and authorizes the request again; undefined if it would now be rejected. */
async function reviewed(route: StreamRoute, { identify }: StreamStages, origin: Origin): Promise<Principal | undefined> {
  try {
    const principal = await identify(origin);
    authorize(route, principal);
    return principal;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
