import { sql } from 'drizzle-orm';
import { queryRows, type RunLevel, type ServerContext } from '#server';
import type { RunLogLine } from '../run-contract.ts';

const levels: readonly RunLevel[] = ['debug', 'info', 'warn', 'error'];
const types = { online: 1, local: 2, stdout: 3, both: 4 } as const;
const maxLineLength = 4000;
const maxBuffered = 1000;
const maxLines = 500;

interface StoredLogLine {
  readonly tenantId: string;
  readonly instanceId: string;
  readonly time: string;
  readonly level: RunLevel;
  readonly text: string;
}

/** Stores the log lines of runs. */
export class RunLog {
  private buffer: StoredLogLine[] = [];

  constructor(private readonly db: ServerContext['db']) {}

  /** Returns the log function of one run, according to the log settings of its job. */
  of({
    tenantId,
    instanceId,
    logType,
    logLevel,
  }: {
    tenantId: string;
    instanceId: string;
    logType: number;
    logLevel: number;
  }): (level: RunLevel, text: string) => void {
    return (level, text) => {
      if (levels.indexOf(level) + 1 < logLevel) return;
      if (logType === types.local || logType === types.stdout || logType === types.both)
        process.stdout.write(`${JSON.stringify({ level, instanceId, msg: text.slice(0, maxLineLength) })}\n`);
      if (logType !== types.online && logType !== types.both) return;
      if (this.buffer.length < maxBuffered)
        this.buffer.push({ tenantId, instanceId, time: new Date().toISOString(), level, text: text.slice(0, maxLineLength) });
    };
  }

  /** Writes the buffered lines. Lines that cannot be written are lost, because a run must not fail for its log. */
  async flush(): Promise<void> {
    const lines = this.buffer;
    if (lines.length === 0) return;
    this.buffer = [];
    await this.db.asPlatform('writes logs of runs of all tenants', () =>
      queryRows(
        this.db,
        sql`insert into job_log (tenant_id, instance_id, time, level, text)
            select l."tenantId", i.id, l.time, l.level, l.text
            from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l("tenantId" text, "instanceId" bigint, time timestamptz, level text, text text)
            join job_instance i on i.id = l."instanceId"`,
      ),
    );
  }

  /** Returns the lines of a run after a given line. */
  lines(instanceId: string, after = '0'): Promise<RunLogLine[]> {
    return queryRows<RunLogLine>(
      this.db,
      sql`select id::text as id, to_char(time, 'YYYY-MM-DD HH24:MI:SS.MS') as time, level, text from job_log
          where instance_id = ${instanceId} and id > ${after} order by id limit ${maxLines}`,
    );
  }
}
