import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { HealthProblem, HealthSection, SectionItem } from '#shared/health';
import { interpolate, type LocalizedText } from '#shared/text';
import { ByPlugin } from '../../base/by-plugin.ts';
import type { Log } from '../../base/log.ts';
import { unreadable } from '../health/health-sources.ts';

/** One value of a gauge with its labels. */
export interface GaugeValue {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is read when it is scraped. */
export interface GaugeSource {
  /** Name in the conventions of Prometheus: `marquee_payouts`. */
  readonly name: `marquee_${string}`;
  readonly help: string;
  readonly labels?: readonly string[];
  /** Values for the health screen. */
  readonly health?: readonly GaugeHealth[];
  /** Reads the values; for a plugin, with access to the rows of all tenants. Values that were read less than 15 seconds ago are not read again. */
  read(): GaugeValue[] | Promise<readonly GaugeValue[]>;
}

/** A value of a gauge on the health screen. */
export interface GaugeHealth {
  /** Section of the screen; the queues by default. */
  readonly section?: HealthSection;
  readonly title: LocalizedText;
  /** Labels of the counted values; all values by default. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Set if the value is an age, such as that of the oldest waiting item. */
  readonly unit?: 'seconds';
  /** Value above which an administrator must act. An alert rule for the same gauge must have the same limit; a test compares them. */
  readonly limit?: Pick<HealthProblem, 'isUrgent' | 'page'> & {
    readonly above: number;
    /** Says what is wrong and what to do; `{value}` is the value. */
    readonly text: LocalizedText;
  };
}

/** An answered call. */
export interface AnsweredCall {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly seconds: number;
  /** Plugin that serves the call; undefined for the kernel. */
  readonly plugin: string | undefined;
}

/** Number of answered calls, and the seconds that they took together. */
export interface PluginCalls {
  readonly count: number;
  readonly seconds: number;
}

/** Work of a plugin that can fail: a request, an interval task, or code that nothing awaits. */
export type FailedWork = 'request' | 'task' | 'exception' | 'rejection';

/** Time for which readers share a reading. */
const cacheMs = 15_000;
/** Time after which a scrape no longer waits for a value. */
const readTimeoutMs = 5000;

/** Metrics of this server for Prometheus. The counters begin with the process; gauges of the database have the same value on all servers. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly calls = new Histogram({
    name: 'marquee_http_request_duration_seconds',
    help: 'Duration of answered calls, by path.',
    labelNames: ['method', 'path'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });
  private readonly statuses = new Counter({
    name: 'marquee_http_requests_total',
    help: 'Answered calls, by path and status.',
    labelNames: ['method', 'path', 'status'],
    registers: [this.registry],
  });
  private readonly failures = new Counter({
    name: 'marquee_plugin_errors_total',
    help: 'Unexpected errors, by the plugin at fault and the work that failed.',
    labelNames: ['plugin', 'work'],
    registers: [this.registry],
  });
  private readonly readErrors = new Counter({
    name: 'marquee_metric_errors_total',
    help: 'Failed attempts to read a metric, which is then missing from the scrape.',
    labelNames: ['metric'],
    registers: [this.registry],
  });

  private readonly gauges = new ByPlugin<GaugeSource>();
  private readonly pluginCalls = new Map<string, PluginCalls>();
  private readonly droppedSpans = new Counter({
    name: 'marquee_trace_spans_dropped_total',
    help: 'Spans of traces that were lost because their collector did not take them.',
    registers: [this.registry],
  });

  constructor(private readonly log: Log) {
    collectDefaultMetrics({ register: this.registry });
  }

  answered({ method, path, status, seconds, plugin }: AnsweredCall): void {
    if (plugin !== undefined) this.countCall(plugin, seconds);
    this.calls.observe({ method, path }, seconds);
    this.statuses.inc({ method, path, status: String(status) });
  }

  failed(plugin: string, work: FailedWork): void {
    this.failures.inc({ plugin, work });
  }

  /** Calls of a plugin that this server has answered since its start, and the seconds that they took. */
  callsOf(plugin: string): PluginCalls {
    return this.pluginCalls.get(plugin) ?? { count: 0, seconds: 0 };
  }

  private countCall(plugin: string, seconds: number): void {
    const before = this.callsOf(plugin);
    this.pluginCalls.set(plugin, { count: before.count + 1, seconds: before.seconds + seconds });
  }

  spansDropped(spans: number): void {
    this.droppedSpans.inc(spans);
  }

  /** Adds metrics of a plugin, or of the kernel under the id `kernel`, that are read when they are scraped. One that cannot be read is left out, so that scrapes work even while the database is down. */
  addGauges(plugin: string, sources: readonly GaugeSource[]): void {
    for (const source of sources) this.addGauge(plugin, source);
  }

  /** Removes the gauges of a plugin. */
  unregister(plugin: string): void {
    for (const { name } of this.gauges.of(plugin)) this.registry.removeSingleMetric(name);
    this.gauges.unregister(plugin);
  }

  /** Returns all metrics in the text format of Prometheus, and its content type. */
  async scrape(): Promise<{ readonly type: string; readonly text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }

  /** Reads the values for the health screen, from the same readings as the scrapes. */
  async health(section: HealthSection): Promise<SectionItem[]> {
    const items = this.gauges.all().map(async ({ name, health: all = [], read }) => {
      const health = all.filter((value) => (value.section ?? 'queues') === section);
      if (health.length === 0) return [];
      try {
        const values = await read();
        return values.length === 0 ? [] : health.map((value, index) => itemOf(`${name}:${index}`, value, values));
      } catch (error) {
        return [unreadable(name, health[0]?.title ?? [name, name], error)];
      }
    });
    return (await Promise.all(items)).flat();
  }

  private addGauge(plugin: string, source: GaugeSource): void {
    const { name, help, labels = [] } = source;
    const read = shareReadings(source.read);
    this.gauges.add(plugin, [{ ...source, read }]);
    const gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [this.registry],
      collect: async () => {
        const values = await read().catch((error: unknown) => {
          this.readErrors.inc({ metric: name });
          this.log.warn({ err: error, metric: name }, 'could not read a metric');
          return [];
        });
        // `reset` would set a gauge without labels to 0, which looks like a value that was read.
        if (labels.length === 0) gauge.remove();
        else gauge.reset();
        for (const { labels: labelValues = {}, value } of values) gauge.set({ ...labelValues }, value);
      },
    });
  }
}

/** Makes concurrent and frequent readers share one reading, so that slow ones do not pile up. */
function shareReadings(read: GaugeSource['read']): () => Promise<readonly GaugeValue[]> {
  let values: readonly GaugeValue[] = [];
  let staleAt = 0;
  let pending: Promise<readonly GaugeValue[]> | undefined;
  return async () => {
    if (Date.now() < staleAt) return values;
    pending ??= Promise.resolve()
      .then(read)
      .finally(() => {
        pending = undefined;
      });
    values = await withTimeout(pending);
    staleAt = Date.now() + cacheMs;
    return values;
  };
}

function itemOf(id: string, { title, labels = {}, unit, limit }: GaugeHealth, values: readonly GaugeValue[]): SectionItem {
  const hasLabels = (value: GaugeValue) => Object.entries(labels).every(([label, name]) => value.labels?.[label] === name);
  const value = values.filter(hasLabels).reduce((sum, one) => sum + one.value, 0);
  const item = { id, title, value, ...(unit ? { unit } : {}) };
  if (!limit || value <= limit.above) return item;
  const { isUrgent, page } = limit;
  const [zh, en] = limit.text.map((text) => interpolate(text, { value: Math.round(value) })) as [string, string];
  return { ...item, problem: { isUrgent, text: [zh, en], ...(page === undefined ? {} : { page }) } };
}

/** Rejects if a value takes too long. */
async function withTimeout<Value>(value: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not read within ${readTimeoutMs / 1000} s`)), readTimeoutMs);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}
