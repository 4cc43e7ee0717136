import { sql } from 'drizzle-orm';
import { type DeclaredSchedule, platformTenant, queryRows, type Repository } from '#server';
import type { FormOf } from '#shared/contract';
import type { LocalizedText } from '#shared/text';
import { engineTypes, executionTypes, type JobInfo, type JobServer, processorTypes, scheduleTypes } from '../contract.ts';
import type { JobPluginContext } from './paused-jobs.ts';

/** Application of the jobs that plugins declare, unless the platform already has one on the built-in engine. */
const application: Partial<FormOf<typeof JobServer>> = { jobServerName: 'Marquee', jobAppName: 'marquee' };

/** Jobs that the processors of plugins declare. Each is added once, to the platform; a job that was changed or deleted stays as it is. */
export class DeclaredJobs {
  constructor(
    private readonly context: Pick<JobPluginContext, 'db' | 'jobs' | 'systemLog'>,
    private readonly servers: Repository<typeof JobServer>,
    private readonly rows: Repository<typeof JobInfo>,
  ) {}

  /** Adds the declared jobs that never existed, also those of plugins that were installed meanwhile. */
  async add(): Promise<void> {
    const { db, jobs, systemLog } = this.context;
    const declared = jobs.all().flatMap(([processor, { schedules = [] }]) => schedules.map((schedule) => ({ processor, ...schedule })));
    for (const one of declared) {
      const { processor, key } = one;
      try {
        await db.asPlatform('jobs that plugins declare are noted for the whole deployment', () => this.addOnce(one));
      } catch (error) {
        // An invalid schedule of one plugin does not hold up those of the others.
        systemLog.log({ level: 'error', event: 'job:declared-job-refused', data: { processor, key, reason: (error as Error).message } });
      }
    }
  }

  private async addOnce({ processor, key, title, cron, params }: DeclaredSchedule & { readonly processor: string }): Promise<void> {
    const { db } = this.context;
    const isNew = sql`insert into declared_job (processor, key) values (${processor}, ${key}) on conflict do nothing returning key`;
    if ((await queryRows(db, isNew)).length === 0) return this.translate(processor, title);
    await db.write({ tenantId: platformTenant }, async () => {
      // Fields without a value get their defaults.
      const job: Partial<FormOf<typeof JobInfo>> = {
        ...{ jobServerId: await this.applicationId(), jobName: title[0], jobNameEn: title[1], processorInfo: processor, processorType: processorTypes.builtIn },
        ...{ executeType: executionTypes.standalone, timeExpressionType: scheduleTypes.cron, timeExpression: cron, enable: 1 },
        ...(params === undefined ? {} : { jobParams: params }),
      };
      await this.rows.save(job as FormOf<typeof JobInfo>);
    });
  }

  /** Gives a job that was declared before jobs had English names its own, unless it was renamed. */
  private async translate(processor: string, [name, englishName]: LocalizedText): Promise<void> {
    await this.context.db.sql.execute(
      sql`update job_info set job_name_en = ${englishName} where tenant_id = ${platformTenant} and processor_info = ${processor} and job_name = ${name} and job_name_en is null`,
    );
  }

  private async applicationId(): Promise<string> {
    const found = await this.servers.find({ engine: engineTypes.embedded });
    return (found ?? (await this.servers.save(application as FormOf<typeof JobServer>))).id;
  }
}
