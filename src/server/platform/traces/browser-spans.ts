import type { Call } from '#shared/contract';
import { type ReportedSpan, reportSpans } from '#shared/traces';
import { type Route, route } from '../http/route.ts';
import type { Traces } from './traces.ts';

/** Age after which a reported span is refused: no console waits that long. */
const maxAgeMs = 600_000;
const maxAheadMs = 60_000;

/** Declared names, so that a console can report no text of its own. */
interface KnownNames {
  readonly calls: readonly Pick<Call, 'method' | 'path'>[];
  /** Paths of pages. */
  readonly pages: readonly string[];
}

/**
 * Takes the spans of consoles, whose browsers neither reach the collector nor hold its key. Their texts are replaced by declared ones: of a page the path of its menu
 * entry, of a request the path of its call; spans of unknown calls are dropped, and so are those of traces that are not sampled.
 */
export function browserSpanRoute(traces: Traces, names: () => KnownNames): Route {
  let methods: ReadonlyMap<string, string> | undefined;
  const take = (spans: readonly ReportedSpan[], attributes: Readonly<Record<string, string>>) => {
    const { calls, pages } = names();
    methods ??= new Map(calls.map(({ method, path }) => [path, method]));
    const now = Date.now();
    traces.record(
      spans.flatMap((span) => {
        const { traceId, spanId, parentId, start, milliseconds, page, path, status } = span;
        const method = path === undefined ? undefined : methods?.get(path);
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
  return route(reportSpans, ({ input, principal }) => take(input.spans, { 'user.id': principal.userId, 'marquee.tenant.id': principal.tenantId }), {
    manualTransactions: true,
    unlogged: true,
    isUntraced: true,
    allowExpiredPassword: true,
    allowLocked: true,
    allowPreview: true,
  });
}

/** Returns the most specific declared page that an address belongs to. */
function pageIn(pages: readonly string[], address: string): string | undefined {
  const matching = pages.filter((page) => address === page || address.startsWith(`${page}/`));
  return matching.sort((one, other) => other.length - one.length)[0];
}
