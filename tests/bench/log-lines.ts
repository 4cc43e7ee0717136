import type pg from 'pg';

/** Days over which the lines of the API log are spread. */
export const loggedDays = 150;

/** Logs with fewer lines, as close to each other as those of the API log: the columns of each, and their values for line `n`. */
const smallerLogs = {
  usual_log: {
    columns: 'log_level, log_id, log_data, service_id, server_host, server_ip, env, method_class, create_by',
    values: `case n % 50 when 0 then 'warn' else 'info' end, case n % 20 when 0 then 'payment:settled' else 'job:done' end, '{}', 'marquee', 'h', '::1', 'bench', 'job', null`,
  },
  error_log: {
    columns: 'exception_name, request_uri, method, create_by, remote_ip, service_id, server_host, server_ip, env, user_agent, method_class, method_name',
    values: `'TypeError', case n % 20 when 0 then '/api/blade-system/param/submit' else '/api/blade-system/param/list' end, 'GET', 'user' || n % 1000, '::1',
      'marquee', 'h', '::1', 'bench', 'bench browser', 'settings', 'list'`,
  },
  login_log: {
    columns: 'account, outcome, way, address, device, client_id',
    values: `'user' || n % 1000, case n % 50 when 0 then 'wrong-credentials' else 'granted' end, 'password', '::1', 'bench browser', 'sword'`,
  },
};

/** Returns the number of lines of each smaller log; one statement inserts them. */
export const smallerLogRows = (rowCount: number) => Math.min(rowCount / 10, 1_000_000);

/** Fills the API log with lines of 150 days, month by month, and builds the indexes afterwards. */
export async function fillApiLog(driver: pg.Client, rowCount: number): Promise<void> {
  const { rows: indexes } = await driver.query<{ name: string; definition: string }>(
    `select c.relname as name, pg_get_indexdef(indexrelid) as definition from pg_index join pg_class c on c.oid = indexrelid where indrelid = 'api_log'::regclass`,
  );
  for (const { name } of indexes) await driver.query(`drop index ${name}`);
  await createPastMonths(driver, 'api_log');
  await driver.query('alter table api_log disable trigger user');
  // One line in `rareEvery` has the rare address, so that 500 have it.
  const rareEvery = rowCount / 500;
  const chunk = 1_000_000;
  for (let from = 1; from <= rowCount; from += chunk)
    await driver.query(`
      insert into api_log (id, tenant_id, title, service_id, server_host, server_ip, env, method, request_uri, user_agent, remote_ip,
        method_class, method_name, params, time, create_by, status_code, request_id, create_time)
      select ${idAt}, '000000', 'x', 'marquee', 'h', '::1', 'bench',
        case n % 20 when 0 then 'POST' else 'GET' end,
        case when n % 20 = 0 then '/api/blade-system/param/submit' when n % ${rareEvery} = 1 then '/api/rare/call' else '/api/blade-system/param/list' end,
        'bench browser', '::1', 'settings', 'list', '{}', '3', 'user' || n % 1000, case n % 1000 when 3 then 500 else 200 end, n::text, date_trunc('second', at)
      from ${linesOf(rowCount, from, Math.min(rowCount, from + chunk - 1))}`);
  await driver.query('alter table api_log enable trigger user');
  await driver.query("set maintenance_work_mem = '1GB'");
  for (const { definition } of indexes) await driver.query(definition.replace(' ON ONLY ', ' ON '));
  await driver.query('vacuum analyze api_log');
}

/** Fills the system log, the error log and the sign-in log, unless they are filled; their own triggers count the lines. */
export async function fillSmallerLogs(driver: pg.Client, rowCount: number): Promise<void> {
  for (const [table, { columns, values }] of Object.entries(smallerLogs)) {
    const { rows } = await driver.query(`select from ${table} where tenant_id = '000000' limit 1`);
    if (rows.length > 0) continue;
    if (table !== 'login_log') await createPastMonths(driver, table);
    await driver.query(`
      insert into ${table} (id, tenant_id, create_time, ${columns})
      select ${idAt}, '000000', date_trunc('second', at), ${values} from ${linesOf(rowCount, 1, smallerLogRows(rowCount))}`);
    await driver.query(`vacuum analyze ${table}`);
  }
}

/** Expression of the id of a line, which contains its time. */
const idAt = '(((extract(epoch from at) * 1000)::bigint - 1704067200000) << 22) | (n & 4194303)';

/** Numbers and times of lines, the latest first. */
const linesOf = (rowCount: number, from: number, to: number) =>
  `(select n, now() - make_interval(secs => n * ${(loggedDays * 86_400) / rowCount}) as at from generate_series(${from}, ${to}) n) made`;

async function createPastMonths(driver: pg.Client, table: string): Promise<void> {
  await driver.query(`select prepare_log('${table}', 3)`);
  await driver.query(`do $$ begin for step in 1..6 loop
    execute format('create table if not exists ${table}_%s partition of ${table} for values from (%L) to (%L)',
      to_char(date_trunc('month', now()) - make_interval(months => step), 'YYYYMM'),
      (date_trunc('month', now()) - make_interval(months => step))::date, (date_trunc('month', now()) - make_interval(months => step - 1))::date);
  end loop; end $$`);
}
