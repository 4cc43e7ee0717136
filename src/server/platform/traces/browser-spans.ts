import { type ReportedSpan, reportSpans } from '#shared/traces';
import { memoize } from '../../base/memoize.ts';
import { type Route, route } from '../http/route.ts';
import type { Traces } from './traces.ts';

/** Age after which a reported span is refused: no console waits that long. */
const maxAgeMs = 600_000;
const maxAheadMs = 60_000;

/** Declared names, so that a console can report no text of its own. */
interface KnownNames {
  /** All calls; another list after a change of the plugins. */
  readonly routes: readonly Pick<Route, 'call'>[];
  /** Paths of pages. */
  readonly pages: readonly string[];
}

/**
 * Takes the spans of consoles, whose browsers neither reach the collector nor hold its key. Their texts are replaced by declared ones: of a page the path of its menu
 * entry, of a request the path of its call; spans of unknown calls are dropped, and so are those of traces that are not sampled.
 */
export function browserSpanRoute(traces: Traces, names: () => KnownNames): Route {
  const record = (spans: readonly ReportedSpan[], attributes: Readonly<Record<string, string>>) => {
    const { routes, pages } = names();
    const methods = methodsByPath(routes);
    const now = Date.now();
    traces.record(
      spans.flatMap((span) => {
        const { traceId, spanId, parentId, start, milliseconds, page, path, status } = span;
        const method = path === undefined ? undefined : methods.get(path);
        if (start < now - maxAgeMs || start + milliseconds > now + maxAheadMs || (path !== undefined && method === undefined)) return [];
        const shown = pageIn(pages, page);
        return [
          {
            traceId,
            spanId,
            parentId,
            start,
            end: start + milliseconds,
            name: path === undefined ? `page ${shown ?? 'other'}` : `${method} ${path}`,
            kind: path === undefined ? ('internal' as const) : ('client' as const),
            isError: path !== undefined && (status === undefined || status === 0 || status >= 400),
            attributes: {
              'marquee.page': shown,
              ...(path === undefined ? {} : { 'http.request.method': method, 'http.route': path, 'http.response.status_code': status || undefined }),
            },
          },
        ];
      }),
      attributes,
    );
  };
  return route(reportSpans, ({ input, principal }) => record(input.spans, { 'user.id': principal.userId, 'marquee.tenant.id': principal.tenantId }), {
    manualTransactions: true,
    unlogged: true,
    isUntraced: true,
    allowExpiredPassword: true,
    allowLocked: true,
    allowPreview: true,
  });
}

const methodsByPath = memoize(
  (routes: KnownNames['routes']): ReadonlyMap<string, string> => new Map(routes.map(({ call: { method, path } }) => [path, method])),
);

/** Returns the most specific declared page that an address belongs to. */
function pageIn(pages: readonly string[], address: string): string | undefined {
  const matching = pages.filter((page) => address === page || address.startsWith(`${page}/`));
  return matching.sort((one, other) => other.length - one.length)[0];
}
