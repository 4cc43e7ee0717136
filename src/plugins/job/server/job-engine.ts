import type { JobInfoRow } from '../contract.ts';

/** A run as its engine knows it. */
export interface RunAt {
  /** Here. */
  readonly id: string;
  /** There. */
  readonly engineInstanceId: string;
  readonly state: number;
}

/** Who runs the jobs of an application. Asked outside of transactions, since it may be far away; what goes wrong is a `Refusal`. */
export interface JobEngine {
  /** Told of a job before it is written; answers the number it bears there, nothing where numbers are our own. */
  keep(job: JobInfoRow, isNew: boolean): Promise<number | undefined>;
  enable(job: JobInfoRow, isEnabled: boolean): Promise<void>;
  /** Told before a job is removed. */
  drop(job: JobInfoRow): Promise<void>;
  /** Begins a run; answers its id here. */
  run(job: JobInfoRow, instanceParams: string | null | undefined): Promise<string>;
  stop(runs: readonly RunAt[]): Promise<void>;
  retry(runs: readonly RunAt[]): Promise<void>;
}
