/**
 * One of three processes that take jobs from pg-boss, for `job-queue.soak.ts`. A job calls the service with its id as key, writes an effect, and is completed.
 * Arguments: database, service, queue, jobs at a time.
 */
import pg from 'pg';
import PgBoss from 'pg-boss';

const [, , databaseUrl, serviceUrl, queue, maxJobs] = process.argv;
const boss = new PgBoss({ connectionString: databaseUrl, max: 4, maintenanceIntervalSeconds: 1 });
const db = new pg.Pool({ connectionString: databaseUrl, max: 4 });
boss.on('error', (error) => console.error(error));
await boss.start();

async function perform({ id, retryCount }) {
  await fetch(serviceUrl, { headers: { 'idempotency-key': id } });
  await db.query('insert into effect (job_id) values ($1)', [id]);
  const { rows } = await db.query('select retry_count from pgboss.job where id = $1', [id]);
  const { affected } = await boss.complete(queue, id, {});
  if (affected === 0 || rows[0]?.retry_count !== retryCount) await db.query('insert into late_report (is_accepted) values ($1)', [affected > 0]);
}

let open = 0;
let fetching = false;
setInterval(async () => {
  if (fetching || open >= Number(maxJobs)) return;
  fetching = true;
  const jobs = await boss.fetch(queue, { batchSize: Number(maxJobs) - open, includeMetadata: true });
  if (jobs.length > 0) process.send('working');
  for (const job of jobs) {
    open += 1;
    perform(job)
      .catch((error) => console.error(error))
      .finally(() => {
        open -= 1;
      });
  }
  fetching = false;
}, 500);
process.send('ready');
