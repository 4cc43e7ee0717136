import type { TObject } from 'typebox';
import { type Call, listProperties } from '#shared/contract';
import { isEmpty } from '#shared/text';
import type { Route } from '../../platform/http/route.ts';
import type { collectParams } from './input.ts';

type ListParams = ReturnType<typeof collectParams>;

interface ShapedRequest {
  readonly route: Route;
  readonly entered: ListParams;
}

/**
 * Answers a complete list with a page if the request names one. BladeX-compatible clients send page parameters but read all rows, so their `current` and `size` are
 * dropped.
 */
export function withRequestedShape(route: Route, params: ListParams, isWholeListClient: boolean): ShapedRequest {
  if (!route.call.page || Array.isArray(params)) return { route, entered: params };
  const { current, size, ...others } = params;
  if ((isEmpty(current) && isEmpty(size)) || isWholeListClient) return { route, entered: others };
  return { route: pagedRouteOf(route), entered: params };
}

const pagedRoutes = new WeakMap<Route, Route>();

/** Returns the paged variant of a route, created once because schemas are compiled per call. */
function pagedRouteOf(route: Route): Route {
  const pagedRoute = pagedRoutes.get(route) ?? { ...route, call: pagedCallOf(route.call) };
  pagedRoutes.set(route, pagedRoute);
  return pagedRoute;
}

function pagedCallOf({ page, ...call }: Call): Call {
  const properties = { ...(call.input as TObject).properties, ...listProperties };
  return { ...call, input: { ...call.input, properties } as Call['input'], reply: page ?? call.reply };
}
