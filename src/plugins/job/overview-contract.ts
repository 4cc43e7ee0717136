import type { Static, TSchema } from 'typebox';
import * as Type from 'typebox';
import { get, NoInput } from '#shared/contract';
import { Id } from '#shared/fields';
import { jobHomeMenu } from './menus.ts';

const text = (maxLength: number) => Type.String({ maxLength });
const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Unsafe<Static<Schema> | null>({ ...schema, type: [(schema as { type?: string }).type, 'null'] });
const time = text(19);
const milliseconds = Type.Integer({ minimum: 0 });

const Rate = Type.Object({ succeeded: Type.Integer(), failed: Type.Integer() });
/** Numbers of runs that succeeded and failed. */
export type JobRate = Static<typeof Rate>;

/** Run in a summary of its job; `duration` in milliseconds, null while it runs. */
const RunResult = Type.Object({ id: Id(), state: Type.Integer(), time, duration: nullable(milliseconds) });

/** Next fire, latest run and results of a job, which the list adds to its row. */
export const activityFields = {
  /** Null for a paused job, for a job without a schedule, and for a fixed delay while a run is in progress. */
  nextFire: nullable(time),
  lastRun: Type.Unsafe<Static<typeof RunResult> | null>({ ...RunResult, type: ['object', 'null'] }),
  /** Results of the latest 30 runs. */
  rate: Rate,
};
const Activity = Type.Object(activityFields);
export type JobActivity = Static<typeof Activity>;

const Job = { jobInfoId: Id(), jobName: text(128) };

const Overview = Type.Object({
  now: time,
  /** The next ten fires, earliest first; `isEstimate` is true if the time depends on the end of a run. */
  nextFires: Type.Array(Type.Object({ ...Job, time, isEstimate: Type.Boolean() })),
  day: Rate,
  week: Rate,
  /** Jobs by the 95th percentile of the duration of their latest 50 runs, the slowest first; `before` is the percentile of the 50 runs before these. */
  slowest: Type.Array(Type.Object({ ...Job, p95: milliseconds, before: nullable(milliseconds) })),
  /** Jobs whose latest finished run has failed; `failures` counts the failures since the last success, at most 30. */
  failing: Type.Array(Type.Object({ ...Job, isEnabled: Type.Boolean(), runId: Id(), time, reason: text(2000), failures: Type.Integer() })),
  running: Type.Array(Type.Object({ ...Job, runId: Id(), state: Type.Integer(), time, elapsed: milliseconds, worker: nullable(text(255)) })),
  /** Number of runs that wait or run, of which `running` lists the oldest. */
  open: Type.Integer(),
  /** Servers that run jobs, for the platform only. Memory and disk in GB. */
  workers: Type.Array(
    Type.Object({
      name: text(128),
      cpus: Type.Number(),
      memory: Type.Number(),
      disk: Type.Number(),
      inFlight: Type.Integer(),
      capacity: Type.Integer(),
      seen: time,
    }),
  ),
});
/** State of the jobs of a tenant. */
export type JobOverview = Static<typeof Overview>;

/** Returns the state of all jobs in one reply. */
export const jobOverview = get('/api/blade-job/job-info/overview', {
  title: ['作业总览', 'Job overview'],
  access: { code: jobHomeMenu.code },
  input: NoInput,
  reply: Overview,
});
