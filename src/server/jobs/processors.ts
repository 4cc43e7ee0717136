import type { TObject } from 'typebox';
import type { Words } from '#shared/text';

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

/** What the plugins of a deployment can do as a job, by name: `payment:check-ledger`. */
export class Processors {
  private readonly known = new Map<string, Processor>();

  /** Names begin with the plugin's id. */
  processor(name: `${string}:${string}`, processor: Processor): void {
    this.known.set(name, processor);
  }

  of(name: string): Processor | undefined {
    return this.known.get(name);
  }

  all(): [name: string, processor: Processor][] {
    return [...this.known];
  }
}
