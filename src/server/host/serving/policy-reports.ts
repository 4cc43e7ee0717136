import type { Readable } from 'node:stream';
import type { Log } from '../../base/log.ts';
import { type App, pathOf } from '../../platform/http/app.ts';
import { assertLightJson, limitAnonymousBody, maxAnonymousBodyBytes } from '../../platform/http/body-limits.ts';
import { reportsPath } from '../../platform/http/security-headers.ts';
import type { SharedRateLimits } from '../../platform/rate-limits/shared-rate-limits.ts';

type ReportFields = Readonly<Record<string, unknown>>;

/** A report as shown to operators, without queries and page content, which may contain anything. */
interface PolicyReport {
  readonly directive: string;
  /** An address or a keyword: `inline`, `eval`, `trusted-types-sink`. */
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
  /** Target of an assignment rejected by Trusted Types: `Element innerHTML`. */
  readonly sink: string;
}

/** Maximum number of log lines a minute, for all browsers together. */
const maxLinesPerMinute = 20;
const minuteMs = 60_000;
/** Maximum number of reports read from one body. */
const maxReportsPerBody = 20;
const maxTextLength = 200;

/** Writes reports to the log, each at most once a minute, and logs the number it has left out. */
export class PolicyReportLog {
  private readonly written = new Set<string>();
  private since = Number.NEGATIVE_INFINITY;
  private leftOut = 0;

  constructor(
    private readonly log: Pick<Log, 'warn'>,
    private readonly now: () => number = Date.now,
  ) {}

  write(report: PolicyReport): void {
    const at = this.now();
    if (at - this.since >= minuteMs) this.begin(at);
    const key = JSON.stringify(report);
    if (this.written.has(key) || this.written.size >= maxLinesPerMinute) {
      this.leftOut += 1;
      return;
    }
    this.written.add(key);
    this.log.warn({ report }, 'a browser blocked content that the Content-Security-Policy does not allow');
  }

  private begin(at: number): void {
    if (this.leftOut > 0) this.log.warn({ leftOut: this.leftOut }, 'Content-Security-Policy reports were dropped');
    this.written.clear();
    this.leftOut = 0;
    this.since = at;
  }
}

/** Accepts reports of the content security policy from any browser, in both existing formats. */
export function servePolicyReports(app: App, limits: Pick<SharedRateLimits, 'spend'>): void {
  const reports = new PolicyReportLog(app.log);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const parseJson = scope.getDefaultJsonParser('error', 'error');
    const types = ['application/csp-report', 'application/reports+json'];
    scope.addContentTypeParser(types, { parseAs: 'string', bodyLimit: maxAnonymousBodyBytes }, (request, body, done) => {
      assertLightJson(String(body));
      parseJson(request, String(body), done);
    });
    scope.post(reportsPath, {
      onRequest: async ({ ip }) => limits.spend('open', ip),
      preParsing: async (request, _reply, body) => limitAnonymousBody(request, body as Readable),
      handler: async ({ body }, reply) => {
        for (const report of reportsIn(body)) reports.write(report);
        return reply.code(204).header('cache-control', 'no-store').send();
      },
    });
  });
}

/** Reads the reports of a body: `{"csp-report": …}` of `report-uri`, or a list of `report-to`; ignores anything else. */
function reportsIn(body: unknown): PolicyReport[] {
  const sent = Array.isArray(body) ? body.slice(0, maxReportsPerBody) : [body];
  return sent.flatMap((one) => {
    const { 'csp-report': legacyReport, type, body: detail } = objectOf(one);
    const violation = objectOf(type === 'csp-violation' ? detail : legacyReport);
    const read = (...names: string[]) => names.map((name) => violation[name]).find((value) => typeof value === 'string' || typeof value === 'number') ?? '';
    const directive = shortened(read('effectiveDirective', 'effective-directive', 'violated-directive'));
    if (directive === '') return [];
    const position = [read('lineNumber', 'line-number'), read('columnNumber', 'column-number')];
    return {
      directive,
      blocked: plainAddress(read('blockedURL', 'blocked-uri')),
      page: plainAddress(read('documentURL', 'document-uri')),
      source: [plainAddress(read('sourceFile', 'source-file')), ...position.map(shortened)].filter((part) => part !== '').join(':'),
      sink: directive === 'require-trusted-types-for' ? shortened(read('sample', 'script-sample')).split('|', 1).join('') : '',
    };
  });
}

const objectOf = (value: unknown): ReportFields => (typeof value === 'object' && value !== null ? (value as ReportFields) : {});
const shortened = (value: string | number) => String(value).slice(0, maxTextLength);

/** Reduces an address to its path; `data:` and similar ones to their scheme. */
function plainAddress(value: string | number): string {
  const text = String(value);
  if (!URL.canParse(text)) return shortened(pathOf({ url: text }));
  const { protocol, host, pathname } = new URL(text);
  return host === '' ? protocol : shortened(`${protocol}//${host}${pathname}`);
}
