import type { TObject } from 'typebox';
import type { LocalizedText } from '#shared/text';
import { asPlugin } from '../audit/stray-errors.ts';
import type { PluginSwitches } from '../switches/plugin-switches.ts';

/** Level of a line in a run's log. */
export type RunLevel = 'debug' | 'info' | 'warn' | 'error';

/** One run of a job, or a part of one, as its processor sees it. */
export interface JobRun {
  readonly tenantId: string;
  /** Id shared by every attempt; send it along with external requests, so that receivers can detect repetitions. */
  readonly instanceId: string;
  /** Parameters of the job, as text. */
  readonly params: string;
  /** Parameters of this run only; '' if it was started without any. */
  readonly instanceParams: string;
  /** Aborted when the run is stopped, times out or has been taken over by another worker. */
  readonly signal: AbortSignal;
  /** Returns the secret of the job, decrypted; undefined if it has none. */
  readSecret(): Promise<string | undefined>;
  /** Adds a line to the log that operators follow. */
  log(level: RunLevel, text: string): void;
  /** Runs one transaction in the job's tenant that only commits while this worker still owns the run, so that its effects happen once. */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** The first part of a run that is split into many. */
export interface MapRun extends JobRun {
  /** Splits the run into parts that workers share; each is passed to `perform`. */
  map(parts: readonly { readonly name: string; readonly payload: unknown }[]): Promise<void>;
}

/** A job that a processor brings along. It is added once, to the platform, where operators can change, disable or delete it. */
export interface DeclaredSchedule {
  /** Key that never changes, unique within the processor. */
  readonly key: string;
  /** Name of the job. */
  readonly title: LocalizedText;
  /** Cron expression with seconds: `0 30 3 * * ?`. */
  readonly cron: string;
  readonly params?: string;
}

/** A kind of job. Methods return the outcome to show; a thrown error is shown as the reason of a failure. */
export interface Processor {
  readonly title: LocalizedText;
  /** One sentence about the expected parameters. */
  readonly help: LocalizedText;
  /** True if only jobs of the platform may use it. */
  readonly platformOnly?: boolean;
  /** True if every worker may run it at the same time, as broadcast runs do. */
  readonly broadcast?: true;
  /** Permission code without which a user can neither save nor enable jobs with it. */
  readonly permission?: string;
  /** Schema of the JSON object expected as parameters, which the form shows as fields; without it any text is accepted. */
  readonly params?: TObject;
  /** Jobs that run it in every deployment, unless operators change them. */
  readonly schedules?: readonly DeclaredSchedule[];
  /** Throws for parameters that fit the schema and are invalid nevertheless; the message is shown to the user. */
  validate?(params: string): void;
  run(run: MapRun): Promise<string | undefined>;
  /** Processes one part of a run that was split. */
  perform?(payload: unknown, run: JobRun): Promise<string | undefined>;
  /** Combines the outcomes of all parts into one. */
  reduce?(outcomes: readonly string[], run: JobRun): Promise<string | undefined>;
}

/** Ways in which a processor can run: on one worker, on every worker, or split into parts, whose outcomes it may combine. */
export type ExecutionKind = 'standalone' | 'broadcast' | 'map' | 'mapReduce';

/** Returns the ways in which a processor can run. */
export function executionKinds({ broadcast, perform, reduce }: Processor): ExecutionKind[] {
  return ['standalone', ...(broadcast ? (['broadcast'] as const) : []), ...(perform ? [reduce ? ('mapReduce' as const) : ('map' as const)] : [])];
}

/** Jobs that must not run: those of one tenant or of all, with one processor or with any. */
export interface PausedProcessor {
  readonly tenantId: string | null;
  readonly processor: string | null;
}

/** Processors of all plugins of a deployment by name: `payment:check-ledger`. */
export class Processors {
  private readonly registered = new Map<string, Processor>();

  constructor(
    private readonly switches?: Pick<PluginSwitches, 'isOff' | 'offIn' | 'tenants' | 'titleOf'>,
    /** Id of the plugin that runs jobs. */
    private readonly runner?: string,
  ) {}

  /** Returns the same processors for the plugin that runs them; all of them pause while it is disabled. */
  runBy(runner: string): Processors {
    return Object.create(this, { runner: { value: runner } }) as Processors;
  }

  /** Registers a processor; its name begins with the plugin's id. */
  register(name: string, processor: Processor): void {
    const owner = ownerOf(name);
    const { perform } = processor;
    // An uncaught error is attributed to the owner, not to the plugin that runs the job.
    this.registered.set(
      name,
      Object.create(processor, {
        run: { value: (run: MapRun) => asPlugin(owner, () => processor.run(run)) },
        ...(perform ? { perform: { value: (payload: unknown, run: JobRun) => asPlugin(owner, () => processor.perform?.(payload, run)) } } : {}),
      }) as Processor,
    );
  }

  unregister(plugin: string): void {
    for (const name of this.registered.keys()) if (ownerOf(name) === plugin) this.registered.delete(name);
  }

  /** Lists the titles of a plugin's processors. */
  titlesOf(plugin: string): LocalizedText[] {
    return [...this.registered].filter(([name]) => ownerOf(name) === plugin).map(([, { title }]) => title);
  }

  of(name: string): Processor | undefined {
    return this.registered.get(name);
  }

  all(): [name: string, processor: Processor][] {
    return [...this.registered];
  }

  /** Returns the title of the disabled plugin that prevents jobs of a processor from running in a tenant; undefined if they run. */
  pausedBy(name: string, tenantId: string): LocalizedText | undefined {
    const off = [ownerOf(name), this.runner].find((plugin) => plugin !== undefined && this.switches?.isOff(plugin, tenantId));
    return off === undefined ? undefined : this.switches?.titleOf(off);
  }

  /** Lists all paused jobs, without a query. */
  paused(): PausedProcessor[] {
    const { switches } = this;
    if (!switches) return [];
    const everywhere = this.pausedIn(null, switches.offIn());
    return [...everywhere, ...switches.tenants.flatMap((tenantId) => this.pausedIn(tenantId, switches.offIn(tenantId)))];
  }

  private pausedIn(tenantId: string | null, off: ReadonlyMap<string, unknown>): PausedProcessor[] {
    if (this.runner !== undefined && off.has(this.runner)) return [{ tenantId, processor: null }];
    return [...this.registered.keys()].filter((name) => off.has(ownerOf(name))).map((processor) => ({ tenantId, processor }));
  }
}

/** Returns the plugin id at the beginning of a processor's name. */
const ownerOf = (name: string): string => name.slice(0, name.indexOf(':'));
