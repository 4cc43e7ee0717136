import type { TObject } from 'typebox';
import type { Words } from '#shared/text';
import type { PluginSwitches } from '../switches/plugin-switches.ts';

/** How much a line of a run's log matters. */
export type RunLevel = 'debug' | 'info' | 'warn' | 'error';

/** One run of a job, or a part of one, as its processor sees it. */
export interface JobRun {
  readonly tenantId: string;
  /** The same for every attempt: what is sent elsewhere bears it, so that it can be told from a repetition. */
  readonly instanceId: string;
  /** What the job is given, as text. */
  readonly params: string;
  /** What this run alone was given, '' where it began by itself. */
  readonly instanceParams: string;
  /** Aborted when the run is stopped, has taken too long, or is somebody else's by now. */
  readonly signal: AbortSignal;
  /** A line of the log that operators follow. */
  log(level: RunLevel, text: string): void;
  /** One transaction in the job's tenant that commits only while the run is still this one's: its effects come about once. */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The first part of a run that is cut into many. */
export interface MapRun extends JobRun {
  /** Cuts the run into parts that workers share among themselves; each is given to `perform`. */
  map(parts: readonly { readonly name: string; readonly payload: unknown }[]): Promise<void>;
}

/** What jobs may do. Each answers with what is shown as the outcome; what it throws is shown as the reason. */
export interface Processor {
  readonly title: Words;
  /** What it needs to be given, in a sentence. */
  readonly help: Words;
  /** Only the platform's own jobs may use it. */
  readonly platformOnly?: boolean;
  /** The fields of the JSON object it is given; whatever it is given unless said. */
  readonly params?: TObject;
  run(run: MapRun): Promise<string | undefined>;
  /** Does one part of a run that was cut up. */
  perform?(payload: unknown, run: JobRun): Promise<string | undefined>;
  /** Makes one outcome of those of all parts. */
  reduce?(outcomes: readonly string[], run: JobRun): Promise<string | undefined>;
}

/** Jobs that are not to run: those of one tenant or of all, by one processor or by any. */
export interface Paused {
  readonly tenantId: string | null;
  readonly processor: string | null;
}

/** What the plugins of a deployment can do as a job, by name: `payment:check-ledger`. */
export class Processors {
  private readonly known = new Map<string, Processor>();

  constructor(
    private readonly switches?: Pick<PluginSwitches, 'isOff' | 'offIn' | 'tenants' | 'titleOf'>,
    /** The plugin that runs jobs. */
    private readonly runner?: string,
  ) {}

  /** The same processors for the plugin that runs them: while it is off, all of them pause. */
  runBy(runner: string): Processors {
    return Object.create(this, { runner: { value: runner } }) as Processors;
  }

  /** Names begin with the plugin's id. */
  processor(name: `${string}:${string}`, processor: Processor): void {
    this.known.set(name, processor);
  }

  /** What jobs by a plugin do, in words. */
  titlesOf(plugin: string): Words[] {
    return [...this.known].filter(([name]) => ownerOf(name) === plugin).map(([, { title }]) => title);
  }

  of(name: string): Processor | undefined {
    return this.known.get(name);
  }

  all(): [name: string, processor: Processor][] {
    return [...this.known];
  }

  /** What the plugin is called whose being switched off keeps jobs of a processor from running in a tenant; undefined where they run. */
  pausedBy(name: string, tenantId: string): Words | undefined {
    const off = [ownerOf(name), this.runner].find((plugin) => plugin !== undefined && this.switches?.isOff(plugin, tenantId));
    return off === undefined ? undefined : this.switches?.titleOf(off);
  }

  /** Everything that is not to run now; known without a query. */
  paused(): Paused[] {
    const { switches } = this;
    if (!switches) return [];
    const everywhere = this.pausedIn(null, switches.offIn());
    return [...everywhere, ...switches.tenants.flatMap((tenantId) => this.pausedIn(tenantId, switches.offIn(tenantId)))];
  }

  private pausedIn(tenantId: string | null, off: ReadonlyMap<string, unknown>): Paused[] {
    if (this.runner !== undefined && off.has(this.runner)) return [{ tenantId, processor: null }];
    return [...this.known.keys()].filter((name) => off.has(ownerOf(name))).map((processor) => ({ tenantId, processor }));
  }
}

/** The plugin that a processor’s name begins with. */
const ownerOf = (name: string): string => name.slice(0, name.indexOf(':'));
