import type { JobInfoRow } from '../contract.ts';

/** Run with its ids in both systems. */
export interface EngineRun {
  /** Id of the local row. */
  readonly id: string;
  /** Id of the run at the engine. */
  readonly engineInstanceId: string;
  readonly state: number;
}

/** Engine that runs the jobs of an application. Call it outside transactions, because it can be remote; it rejects with an `ApiError`. */
export interface JobEngine {
  /** Saves a job before its row is written; returns the engine's job number, or undefined when the engine assigns none. */
  save(job: JobInfoRow, isNew: boolean): Promise<number | undefined>;
  enable(job: JobInfoRow, isEnabled: boolean): Promise<void>;
  /** Removes a job before its row is deleted. */
  remove(job: JobInfoRow): Promise<void>;
  /** Starts a run; returns the id of its local row. */
  run(job: JobInfoRow, instanceParams: string | null | undefined): Promise<string>;
  stop(runs: readonly EngineRun[]): Promise<void>;
  retry(runs: readonly EngineRun[]): Promise<void>;
}
