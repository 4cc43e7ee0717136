import type { TObject, TSchema } from 'typebox';
import type { Call } from '#shared/contract';
import { memoize } from '../../base/memoize.ts';
import { actingAs } from '../../data/context/actor.ts';
import type { KernelRequest, Route } from '../http/route.ts';
import { clientIdOf } from '../identity/accounts/clients.ts';
import type { Principal } from '../principal/principal.ts';
import type { CompatibleClients } from './compatible-clients.ts';
import type { DisplayNames } from './display-names.ts';
import { readParameters, withExactFilters, withoutNulls } from './wire-values.ts';

/** Maximum page size for these clients. */
const largestPage = 500;

/**
 * Translates requests and replies for BladeX-compatible clients. It differs from the default where their format would make our own console worse: no nulls in replies,
 * display names beside codes, exact filters, longer pages, empty text for defaults. Other clients are not affected.
 */
export class BladexAdapter {
  constructor(
    private readonly clients: CompatibleClients,
    private readonly names: DisplayNames,
  ) {}

  /** Returns the adapter if the client is compatible: the client of the caller's session, or else of the Basic header. */
  for({ clientId }: Principal, authorization: string | undefined): this | undefined {
    if (!this.clients.any) return undefined;
    return this.clients.has(clientId ?? clientIdOf(authorization ?? '')) ? this : undefined;
  }

  /** Returns the route as such clients see it; always the same object, because serializers are compiled per call. */
  readonly route = memoize((route: Route) => this.adapt(route));

  /** Reads parameters as these clients mean them. */
  read<Entered extends object>(call: Call, params: Entered): Entered {
    return Array.isArray(params) ? params : (readParameters(call, params as Record<string, unknown>) as Entered);
  }

  /** Rewrites the JSON of a reply as these clients expect it. */
  write(json: string, schema: TSchema): string {
    return withoutNulls(json, schema);
  }

  private adapt(route: Route): Route {
    const { method, download, redirect } = route.call;
    if (method !== 'GET' || download || redirect) return route;
    const call: Call = { ...route.call, reply: this.names.widen(route.call.reply) };
    const handler = async (request: KernelRequest): Promise<unknown> => {
      const input = withExactFilters(call as Call<TObject>, request.input);
      const reply = await actingAs({ ...request.principal, maxPageSize: largestPage }, async () => route.handler({ ...request, input }));
      return this.names.complete(reply, call.reply, request);
    };
    return { ...route, call, handler: handler as Route['handler'] };
  }
}
